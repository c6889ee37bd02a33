import { MODEL_TYPES } from '@stagecraft/spec/names'
import type { ModelType } from '@stagecraft/spec'
import { type Command, Option } from 'commander'
import type { EngineFlags } from '../commands/open-engine.ts'
import { backendOptions, catalogOptions, outputOptions } from '../program/options.ts'
import type { PlanFlags } from './make-plan.ts'

/** The flags of all commands that plan for a project. */
export interface ProjectFlags extends EngineFlags, PlanFlags {
  readonly all?: boolean
  readonly type: ModelType
  readonly tests: boolean
  readonly docs: boolean
  /** Looks at the rows. */
  readonly profile?: boolean
  /** Tables with more rows are not read. */
  readonly maxRows?: string
  /** Tables that take more space are not read. */
  readonly maxBytes?: string
  /** Tables are read again whose rows did not change. */
  readonly fresh?: boolean
  /** Follows the conventions of the staging models that are there. */
  readonly learn?: boolean
  /** File with the answers to statements of `profile --print-sql`. */
  readonly profileFrom?: string
  /** A folder in the project. */
  readonly projectDir: string
}

const SOURCES = [
  '[source...]',
  'source names or whole schemas (default: what stagecraft.lock and stagecraft.yml name)',
] as const

/** Adds the options that say which tables, and how they are generated. */
export function projectOptions(
  command: Command,
  { argument = SOURCES }: { readonly argument?: readonly [name: string, description: string] } = {},
): Command {
  return outputOptions(backendOptions(catalogOptions(command)))
    .argument(...argument)
    .option('--all', 'all tables of the catalog')
    .addOption(new Option('--type <type>', 'type of model').choices(MODEL_TYPES).default('staging'))
    .option('--no-tests', 'leave data tests out')
    .option('--no-docs', 'leave descriptions out')
    .option('--project-dir <dir>', 'folder of the dbt project, or one inside it', '.')
    .option('--learn', 'follow the conventions of the staging models that are there')
    .option('--prune', 'remove columns, entries and files that are gone from the warehouse')
    .option('--profile', 'read the rows: keys, references and lists that the data keep are tested')
    .option('--max-rows <n>', 'leave tables with more rows unread (default: read every table)')
    .option('--max-bytes <size>', 'leave tables unread that take more space: 20GB')
    .option('--fresh', 'read tables again whose rows did not change since')
    .option('--profile-from <file>', 'the same by answers to the statements of profile --print-sql')
    .addOption(
      new Option(
        '--conflict <how>',
        'settle conflicts: by git markers, by your text, by the generated one',
      ).choices(['markers', 'ours', 'theirs']),
    )
}
