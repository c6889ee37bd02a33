import type { LintProject } from './project/lint-project.ts'
import type { Place } from './project/source-file.ts'
import type { Suppression } from './suppress/suppression.ts'
import type { Fix, Group, Need, RuleDocs, Severity, Subject } from './vocabulary.ts'

/** Something that a rule found. */
export interface Hit {
  /** What is so and what it was expected to be, lower case, without a period. */
  readonly message: string
  /** What to do. @default the remedy of the rule */
  readonly help?: string
  readonly place: Place
  readonly subject: Subject
  readonly fix?: Fix
}

/** Something that a rule could not look at. */
export interface Unchecked {
  readonly subject: Subject
  /** Why, lower case: `its references are worked out when dbt runs`. */
  readonly unchecked: string
}

/** What rules that look at findings may know. */
export interface RuleRun {
  /** Suppressions that no finding needed, of rules that were checked. */
  readonly unused: readonly Suppression[]
  /** Says whether there is a rule of that id. */
  readonly isRule: (id: string) => boolean
}

/** One rule. Adding one is filling in this form and naming it in `rules/index.ts`. */
export interface Rule {
  /** Stable; the first digit is that of its group. */
  readonly id: `SC${number}`
  /** Kebab-case: `staging-joins-sources`. */
  readonly name: string
  readonly group: Group
  readonly severity: Severity
  /** Whether it is checked unless somebody says otherwise. Rules that most healthy projects break are not. */
  readonly isDefault: boolean
  readonly needs: readonly Need[]
  /** One sentence, lower case, without a period. */
  readonly summary: string
  readonly docs: RuleDocs
  /** What its fixes do. @default it has none */
  readonly fix?: Pick<Fix, 'safety' | 'summary'>
  readonly check: (project: LintProject, run: RuleRun) => readonly (Hit | Unchecked)[]
}
