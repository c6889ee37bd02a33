import type { LintProject } from './project/lint-project.ts'
import type { Place } from './project/source-file.ts'
import type { Suppression } from './suppress/suppression.ts'
import type { Fix, Group, Need, RuleDocs, Severity, Subject } from './vocabulary.ts'

/** Something that a rule found. */
export interface Hit {
  /** What was found and what was expected, lower case, without a period. */
  readonly message: string
  /** What to do. @default the remedy of the rule */
  readonly help?: string
  readonly place: Place
  readonly subject: Subject
  readonly fix?: Fix
}

/** Something that a rule could not check. */
export interface Unchecked {
  readonly subject: Subject
  /** Why, lower case: `its references are only known when dbt runs`. */
  readonly unchecked: string
}

/** The input of rules about findings. */
export interface RuleRun {
  /** Suppressions of checked rules that matched no finding. */
  readonly unused: readonly Suppression[]
  /** Finds a rule by its id or name, in any case. */
  readonly findRule: (name: string) => Pick<Rule, 'id'> | undefined
}

/** A rule. To add one, fill in this form and list it in `rules/index.ts`. */
export interface Rule {
  /** Stable; the first digit is that of its group. */
  readonly id: `SC${number}`
  /** Kebab-case: `staging-joins-sources`. */
  readonly name: string
  readonly group: Group
  readonly severity: Severity
  /** True if the rule is on by default. Rules that most healthy projects break are off. */
  readonly isDefault: boolean
  readonly needs: readonly Need[]
  /** One sentence, lower case, without a period. */
  readonly summary: string
  readonly docs: RuleDocs
  /** The effect of its fixes. @default no fix */
  readonly fix?: Pick<Fix, 'safety' | 'summary'>
  readonly check: (project: LintProject, run: RuleRun) => readonly (Hit | Unchecked)[]
}
