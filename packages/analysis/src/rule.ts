import type { YamlEdit } from '@stagecraft/dbt'
import type { LintProject } from './project/lint-project.ts'
import type { Place } from './project/source-file.ts'
import type { Suppression } from './suppress/suppression.ts'

/** How bad a finding is, worst first. */
export const SEVERITIES = ['error', 'warning', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

/** The groups of rules, by the first digit of their ids. */
export const GROUPS = {
  staging: 'What a staging layer looks like.',
  properties: 'Whether YAML agrees with the files it describes.',
  graph: 'How models read each other and their sources.',
  project: 'What the project as a whole does.',
  lint: 'Suppressions, and what could not be read.',
} as const
export type Group = keyof typeof GROUPS

/**
 * What a rule looks at. A rule whose needs are not met is not checked, and the report says so. `findings` are those of
 * all other rules.
 */
export type Need = 'files' | 'manifest' | 'profile' | 'raw-tables' | 'findings'

/** What a finding is about. Neither a path nor a line is part of it, so that it stays the same when files move. */
export interface Subject {
  readonly kind: 'model' | 'seed' | 'snapshot' | 'source' | 'test' | 'exposure' | 'file' | 'project'
  /** `stg_orders`; of a source `shop`, or `shop.orders`. */
  readonly name: string
  /** What tells findings of one rule on one subject apart: a column, a reference. @default nothing */
  readonly detail?: string
}

/** A piece of text that takes the place of another one. */
export interface TextEdit extends Place {
  readonly text: string
}

/** A way to mend what was found. */
export interface Fix {
  /** `safe` when it cannot change what dbt builds; `unsafe` needs a person to look at it. */
  readonly safety: 'safe' | 'unsafe'
  /** What it does, lower case: `rename the key to data_tests`. */
  readonly summary: string
  readonly edit:
    | { readonly kind: 'text'; readonly edits: readonly TextEdit[] }
    | { readonly kind: 'yaml'; readonly path: string; readonly edits: readonly YamlEdit[] }
}

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
  readonly docs: {
    /** The harm of what it finds. */
    readonly why: string
    /** The code that it finds, with the language of the block. */
    readonly example: { readonly language: 'sql' | 'yaml'; readonly code: string }
    readonly remedy: string
  }
  /** What its fixes do. @default it has none */
  readonly fix?: Pick<Fix, 'safety' | 'summary'>
  readonly check: (project: LintProject, run: RuleRun) => readonly (Hit | Unchecked)[]
}
