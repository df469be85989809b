/**
 * Policy gradients when evaluating rewards is the expensive part: tasks, episodes, rewards, kernel quadrature and the training
 * loop.
 */
module dev.pgkq.core {
    requires static org.jspecify;

    exports dev.pgkq.advise;
    exports dev.pgkq.batch;
    exports dev.pgkq.bayes;
    exports dev.pgkq.credit;
    exports dev.pgkq.env;
    exports dev.pgkq.episode;
    exports dev.pgkq.gp;
    exports dev.pgkq.gradient;
    exports dev.pgkq.kernel;
    exports dev.pgkq.model;
    exports dev.pgkq.nn;
    exports dev.pgkq.parallel;
    exports dev.pgkq.policy;
    exports dev.pgkq.purchase;
    exports dev.pgkq.quadrature;
    exports dev.pgkq.random;
    exports dev.pgkq.reward;
    exports dev.pgkq.select;
    exports dev.pgkq.state;
    exports dev.pgkq.text;
    exports dev.pgkq.train;
    // for the other modules of pgkq
    exports dev.pgkq.linalg to
            dev.pgkq.rewards,
            dev.pgkq.app;
    exports dev.pgkq.platform to
            dev.pgkq.mujoco,
            dev.pgkq.rewards,
            dev.pgkq.app;
    exports dev.pgkq.statistics to
            dev.pgkq.app;

    uses dev.pgkq.env.TaskProvider;

    provides dev.pgkq.env.TaskProvider with
            dev.pgkq.env.BuiltInTasks;
}
