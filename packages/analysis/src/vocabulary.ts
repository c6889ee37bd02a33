import type { YamlEdit } from '@stagecraft/dbt'
import type { Place } from './project/source-file.ts'

/** How bad a finding is, worst first. */
export const SEVERITIES = ['error', 'warning', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

/** The groups of rules, by the first digit of their ids. */
export const GROUPS = {
  sources: 'Whether the project agrees with the raw tables that it reads.',
  staging: 'What a staging layer looks like.',
  properties: 'Whether YAML agrees with the files it describes.',
  graph: 'How models read each other and their sources.',
  project: 'What the project as a whole does.',
  lint: 'Suppressions, and what could not be read.',
} as const
export type Group = keyof typeof GROUPS

/**
 * What rules look at, and how a run comes by it. A rule whose needs are not met is not checked, and the report says so.
 * `findings` are those of all other rules.
 */
export const NEEDS = {
  files: 'the files of the project',
  structure: 'the optional package @polyglot-sql/sdk, which reads the SQL of models',
  'raw-tables':
    'the raw tables: stagecraft.lock has those that models were generated from, and --catalog reads them',
  catalog: '--catalog, which reads the raw tables as they are now',
  manifest: 'target/manifest.json, which dbt parse writes',
  freshness: 'target/sources.json, which dbt source freshness writes',
  findings: 'the findings of other rules',
} as const
export type Need = keyof typeof NEEDS

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
    /** Moves a file as it is. */
    | { readonly kind: 'move'; readonly path: string; readonly to: string }
}

/** What people read about a rule. */
export interface RuleDocs {
  /** The harm of what it finds. */
  readonly why: string
  /** The code that it finds, with the language of the block. */
  readonly example: { readonly language: 'sql' | 'yaml'; readonly code: string }
  readonly remedy: string
  /** The reason why there is no fix where one could be expected. @default nothing is said */
  readonly noFix?: string
}
