/**
 * Policy gradients when evaluating rewards is the expensive part: tasks, episodes, rewards, kernel quadrature and the training
 * loop.
 */
module dev.pgkq.core {
    requires static org.jspecify;

    exports dev.pgkq.batch;
    exports dev.pgkq.env;
    exports dev.pgkq.episode;
    exports dev.pgkq.kernel;
    exports dev.pgkq.parallel;
    exports dev.pgkq.purchase;
    exports dev.pgkq.quadrature;
    exports dev.pgkq.random;
    exports dev.pgkq.reward;
    exports dev.pgkq.state;
    exports dev.pgkq.text;
    exports dev.pgkq.train;

    uses dev.pgkq.env.TaskProvider;

    provides dev.pgkq.env.TaskProvider with
            dev.pgkq.env.BuiltInTasks;
}
