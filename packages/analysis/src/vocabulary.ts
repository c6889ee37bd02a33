import type { YamlEdit } from '@stagecraft/dbt'
import type { Place } from './project/source-file.ts'

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
