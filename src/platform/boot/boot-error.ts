/** Boot cannot go on, and the operator can help: the message is one line that says what is wrong and what to do. */
export class BootError extends Error {}
