import { MODEL_KINDS } from '@stagecraft/spec/names'
import type { ModelKind } from '@stagecraft/spec'
import { type Command, Option } from 'commander'
import type { EngineFlags } from '../commands/open-engine.ts'
import { backendOptions, catalogOptions, outputOptions } from '../program/options.ts'
import type { PlanFlags } from './make-plan.ts'

/** The flags of all commands that plan for a project. */
export interface ProjectFlags extends EngineFlags, PlanFlags {
  readonly all?: boolean
  readonly type: ModelKind
  readonly tests: boolean
  readonly docs: boolean
  /** Looks at the rows. */
  readonly profile?: boolean
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
    .addOption(new Option('--type <kind>', 'kind of model').choices(MODEL_KINDS).default('staging'))
    .option('--no-tests', 'leave data tests out')
    .option('--no-docs', 'leave descriptions out')
    .option('--project-dir <dir>', 'folder of the dbt project, or one inside it', '.')
    .option('--prune', 'remove columns, entries and files that are gone from the warehouse')
    .option('--profile', 'read the rows: keys and references that the data keep are tested')
    .addOption(
      new Option(
        '--conflict <how>',
        'settle conflicts: by git markers, by your text, by the generated one',
      ).choices(['markers', 'ours', 'theirs']),
    )
}
