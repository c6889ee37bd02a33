/** Somebody asked that the job stops. */
export class JobCancelled extends Error {
  override readonly name = 'JobCancelled'
}

/** Another process holds the job now, because this one was silent for too long. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** The process stops, and another one is to go on with the job. */
export class WorkerStopped extends Error {
  override readonly name = 'WorkerStopped'
}

/**
 * The error of a job whose outcome is unknown: it runs again after a pause, and fails with the cause in the
 * end.
 */
export class TryAgain extends Error {
  override readonly name = 'TryAgain'
  readonly afterMs: number

  constructor(cause: unknown, afterMs: number) {
    super('the job is to be done again', { cause })
    this.afterMs = afterMs
  }
}
