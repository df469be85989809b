"""A connection between client and service that loses answers."""

import socket
import threading


class LossyProxy:
    """Passes bytes on to a service and back, and instead of the next answers closes the connection: the service has done its work then.

    The service may only see what reached it, so nothing is lost of a request.
    """

    def __init__(self, host, port):
        self._service = (host, port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._to_lose = 0
        self._to_withhold = 0
        self.lost = 0
        self.withheld = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/"

    def lose(self, answers):
        """So many answers from now on never arrive."""
        self._to_lose = answers

    def withhold(self):
        """The next answer never arrives, and its connection stays open."""
        self.withheld.clear()
        self._to_withhold = 1

    def close(self):
        self._listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:  # closed
                return
            service = socket.create_connection(self._service)
            threading.Thread(target=self._pass_on, args=(client, service), daemon=True).start()
            threading.Thread(target=self._answer, args=(service, client), daemon=True).start()

    @staticmethod
    def _pass_on(client, service):
        with client:
            try:
                while data := client.recv(1 << 16):
                    service.sendall(data)
                service.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # the other one has closed it

    def _answer(self, service, client):
        with service:
            try:
                while data := service.recv(1 << 16):
                    if self._to_lose > 0:
                        self._to_lose -= 1
                        self.lost += 1
                        break
                    if self._to_withhold > 0:
                        self._to_withhold -= 1
                        self.withheld.set()
                        while service.recv(1 << 16):  # until the client gives up
                            pass
                        break
                    client.sendall(data)
                client.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
