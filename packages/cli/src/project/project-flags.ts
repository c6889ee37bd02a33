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
  /** Profiles the rows. */
  readonly profile?: boolean
  /** Skips tables with more rows. */
  readonly maxRows?: string
  /** Skips tables that take more space. */
  readonly maxBytes?: string
  /** Reads tables again even if their rows did not change. */
  readonly fresh?: boolean
  /** Follows the conventions of existing staging models. */
  readonly learn?: boolean
  /** A file with the results of the statements of `profile --print-sql`. */
  readonly profileFrom?: string
  /** A folder in the project. */
  readonly projectDir: string
}

const SOURCES = [
  '[source...]',
  'source names or whole schemas (default: the tables in stagecraft.lock and the schemas in stagecraft.yml)',
] as const

/** Adds the options that select tables and shape the output. */
export function projectOptions(
  command: Command,
  { argument = SOURCES }: { readonly argument?: readonly [name: string, description: string] } = {},
): Command {
  return outputOptions(backendOptions(catalogOptions(command)))
    .argument(...argument)
    .option('--all', 'all tables of the catalog')
    .addOption(new Option('--type <type>', 'type of model').choices(MODEL_TYPES).default('staging'))
    .option('--no-tests', 'omit data tests')
    .option('--no-docs', 'omit descriptions')
    .option('--project-dir <dir>', 'folder of the dbt project, or one inside it', '.')
    .option('--learn', 'follow the conventions of existing staging models')
    .option('--prune', 'remove columns, entries and files that were deleted from the warehouse')
    .option('--profile', 'read the rows, and test the keys, references and value lists in them')
    .option('--max-rows <n>', 'skip tables with more rows (default: read every table)')
    .option('--max-bytes <size>', 'skip tables that take more space: 20GB')
    .option('--fresh', 'read every table again, even if its rows did not change')
    .option(
      '--profile-from <file>',
      'use answers to the statements of profile --print-sql in place of the rows',
    )
    .addOption(
      new Option(
        '--conflict <how>',
        'resolve conflicts with git markers, your text, or the generated one',
      ).choices(['markers', 'ours', 'theirs']),
    )
}
