/** The result of one step of a check of a catalog. */
export interface CheckStep {
  /** `connect`, `statement columns`. */
  readonly name: string
  readonly outcome: 'works' | 'warns' | 'fails' | 'skipped'
  /** The finding, or the reason of a failure, without secrets. */
  readonly told: string
  readonly milliseconds?: number
  /** The remedy: a grant to give, a package to install. */
  readonly remedy?: string
}

/** The result of a step. A text alone means that the step works. */
export type StepResult = string | Pick<CheckStep, 'told' | 'remedy' | 'outcome'>
