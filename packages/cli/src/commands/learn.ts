import { join, relative, resolve, sep } from 'node:path'
import { parseConfig } from '@stagecraft/core'
import { addToConfig, type Conventions, type LearnedRule, printConfig } from '@stagecraft/dbt'
import { escapeForTerminal, StagecraftError } from '@stagecraft/spec'
import { loadConfig } from '../files/load-config.ts'
import { readIfThere } from '../files/read-if-there.ts'
import { writeNewConfig } from '../files/schema-reference.ts'
import { writeBeside } from '../files/write-beside.ts'
import { learnProject, NOTHING_TO_LEARN } from '../project/learn-project.ts'
import { COMMON_DIALECT } from '../project/choose-dialect.ts'
import { openProject, type OpenProject } from '../project/open-project.ts'
import { printRule, supportsOf } from '../project/print-rule.ts'
import { print } from '../terminal/print.ts'
import { count } from '../terminal/report.ts'
import { type CatalogFlags, withCatalogIfAny } from './shared-flags.ts'

export interface LearnFlags extends CatalogFlags {
  readonly from?: readonly string[]
  readonly write?: boolean
  readonly json?: boolean
  readonly projectDir: string
}

/** `stagecraft learn`: prints the conventions of a project, and writes them into `stagecraft.yml`. */
export async function learnCommand(flags: LearnFlags): Promise<void> {
  const project = await openProject(flags.projectDir, flags)
  const conventions = await learn(project, flags)
  if (flags.json) process.stdout.write(`${JSON.stringify(conventions, null, 2)}\n`)
  else printConventions(conventions)
  if (flags.write) await write(conventions, flags, project.root)
}

async function learn(project: OpenProject, flags: LearnFlags): Promise<Conventions> {
  const from = flags.from?.map((path) => relative(project.root, resolve(path)).split(sep).join('/'))
  const outside = from?.find((path) => path.startsWith('..'))
  if (outside !== undefined)
    throw StagecraftError.invalid({ path: '--from', expected: 'a folder in the project', received: outside })
  const chosen = from && { from }
  const { config } = await loadConfig(flags.config, project.root)
  return withCatalogIfAny(
    flags,
    ({ catalog, dialect = COMMON_DIALECT }) => learnProject(project, { ...chosen, config, catalog, dialect }),
    { project, without: 'types are read from casts and names' },
  )
}

function printConventions({ columns, models, named, rules, skipped }: Conventions): void {
  print(
    models === 0
      ? NOTHING_TO_LEARN
      : `learned from ${count(models, 'model')} with ${count(columns, 'column')}`,
  )
  const fresh = rules.filter(({ isNew }) => isNew)
  const others = rules.filter(({ isNew }) => !isNew)
  for (const rule of fresh) printRule(rule)
  printHabits(
    'already the default:',
    others.filter(({ keys }) => keys.length > 0),
  )
  printHabits(
    'no setting for this; your own template can follow it:',
    others.filter(({ keys }) => keys.length === 0),
  )
  for (const { path, reason } of skipped) print(`skipped ${path}: ${reason}`)
  if (columns === 0) return
  print(
    `\n${named.after} of ${columns} columns get the names that they have in the project; without these rules, ${named.before}`,
  )
}

function printHabits(title: string, rules: readonly LearnedRule[]): void {
  if (rules.length > 0) print(`\n${title}`)
  for (const rule of rules) {
    const { holds, of, unit } = rule.support
    print(`  ${escapeForTerminal(rule.text)}${of > 0 ? ` (${holds} of ${of} ${unit})` : ''}`)
  }
}

/** Writes the new settings; an existing file keeps every other byte. */
async function write(conventions: Conventions, flags: LearnFlags, root: string): Promise<void> {
  const { config } = conventions
  const { file = join(root, 'stagecraft.yml') } = await loadConfig(flags.config, root)
  const path = relative('', file)
  const before = await readIfThere(file)
  if (Object.keys(config).length === 0) {
    process.stderr.write(`${path} is unchanged: nothing new was learned\n`)
    return
  }
  const after =
    before === undefined
      ? printConfig(config, supportsOf(conventions))
      : addToConfig({ path, text: before }, config)
  parseConfig(after, path)
  if (before === undefined) writeNewConfig(file, after)
  else writeBeside(file, after).place()
  process.stderr.write(`${before === undefined ? 'wrote' : 'changed'} ${path}\n`)
}
