import type { YamlEdit } from '@stagecraft/dbt'
import type { Place } from './project/source-file.ts'

/** The severities, worst first. */
export const SEVERITIES = ['error', 'warning', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

/** The groups of rules, by the first digit of their ids. */
export const GROUPS = {
  sources: 'Differences between the project and the raw tables that it reads.',
  staging: 'Conventions of the staging layer.',
  properties: 'Differences between YAML and the files that it describes.',
  graph: 'References between models and sources.',
  project: 'Findings about the project as a whole.',
  lint: 'Suppressions and files that could not be read.',
} as const
export type Group = keyof typeof GROUPS

/**
 * The inputs of rules. A rule whose needs are not met is reported as not checked. `findings` means the findings of
 * all other rules.
 */
export const NEEDS = {
  files: 'the files of the project',
  structure: 'the optional package @polyglot-sql/sdk, which parses the SQL of models',
  'raw-tables': 'the raw tables: from stagecraft.lock, or read with --catalog',
  catalog: '--catalog, which reads the current raw tables',
  manifest: 'target/manifest.json, which dbt parse writes',
  freshness: 'target/sources.json, which dbt source freshness writes',
  findings: 'the findings of other rules',
} as const
export type Need = keyof typeof NEEDS

/** The subject of a finding. It has no path and no line, so it stays the same when files move. */
export interface Subject {
  readonly kind: 'model' | 'seed' | 'snapshot' | 'source' | 'test' | 'exposure' | 'file' | 'project'
  /** `stg_orders`; for a source `shop`, or `shop.orders`. */
  readonly name: string
  /** Distinguishes findings of one rule on one subject: a column, a reference. @default none */
  readonly detail?: string
}

/** A replacement of a piece of text. */
export interface TextEdit extends Place {
  readonly text: string
}

/** A fix of a finding. */
export interface Fix {
  /** `safe` if it cannot change what dbt builds; `unsafe` needs a review. */
  readonly safety: 'safe' | 'unsafe'
  /** Its effect, lower case: `rename the key to data_tests`. */
  readonly summary: string
  readonly edit:
    | { readonly kind: 'text'; readonly edits: readonly TextEdit[] }
    | { readonly kind: 'yaml'; readonly path: string; readonly edits: readonly YamlEdit[] }
    /** Moves a file unchanged. */
    | { readonly kind: 'move'; readonly path: string; readonly to: string }
}

/** The documentation of a rule. */
export interface RuleDocs {
  /** The harm that the finding does. */
  readonly why: string
  /** Code with a finding, and the language of the block. */
  readonly example: { readonly language: 'sql' | 'yaml'; readonly code: string }
  readonly remedy: string
  /** The reason why the rule has no fix. @default none */
  readonly noFix?: string
}
