import { nearest } from '@stagecraft/analysis'
import { StagecraftError } from '@stagecraft/spec'
import { cleanText } from '../clean-text.ts'
import type { ProjectView } from '../project-view.ts'
import { columnsOf, lookUp } from '../resources.ts'
import { type ExampleOptions, examplesFor } from './askable.ts'
import type { Unread } from './senses.ts'
import { PHRASES, type Sense } from './words.ts'

/** The reason why a question is refused. */
export interface Refusal extends ExampleOptions {
  /** A name in the question that the project does not have. @default none */
  readonly unknown: string | undefined
  /** What could not be read. @default all could */
  readonly unread: Unread | undefined
}

/** Creates the error of a question that cannot be computed: what was not understood, and what can be asked. */
export function refuse(view: ProjectView, refusal: Refusal): StagecraftError {
  const { question, unknown, unread } = refusal
  const hint =
    unknown !== undefined
      ? explainUnknown(view, unknown)
      : unread === undefined
        ? undefined
        : explainUnread(unread)
  const examples = examplesFor(view, refusal)
  return StagecraftError.invalid(
    {
      path: 'question',
      expected: 'a question that can be answered without a language model',
      received: JSON.stringify(cleanText(question, 200)),
    },
    {
      suggestion: `${hint === undefined ? '' : `${hint}. `}It can answer, for example:\n  ${examples.join('\n  ')}`,
    },
  )
}

/** Most names that are listed. */
const MOST_NAMES = 8

function explainUnknown(view: ProjectView, unknown: string): string {
  const name = unknown.replaceAll(/[`"']/g, '')
  const dot = name.lastIndexOf('.')
  const owner = dot > 0 ? lookUp(view, name.slice(0, dot)) : undefined
  if (owner && owner.column === undefined && owner.node.kind !== 'exposure') {
    const columns = columnsOf(view, owner.node).columns.map((one) => one.name)
    const known = columns.length === 0 ? '' : `; its columns are ${list(columns)}`
    return cleanText(`${owner.node.name} has no column ${name.slice(dot + 1)}${known}`)
  }
  const close = nearest(
    name,
    view.lineage.nodes.map((node) => node.name),
  )
  const nearby = close === undefined ? '' : `; the closest name is ${cleanText(close, 100)}`
  return `${describePlace(view, name)}${nearby}`
}

/**
 * Says if a file has an unknown name. It never says that the project lacks it, because columns of `select *` exist although no file
 * names them.
 */
function describePlace({ project }: ProjectView, name: string): string {
  const shown = cleanText(name, 100)
  const word = new RegExp(
    String.raw`(?<![\w$])${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?![\w$])`,
    'i',
  )
  for (const { path, text } of project.files.values()) {
    const at = text.search(word)
    if (at === -1) continue
    const line = text.slice(0, at).split('\n').length
    return `${cleanText(path, 200)}:${line} has ${shown}, but it is not known to be the name of a relation, a column or a macro`
  }
  const unread = project.index.faults.length === 0 ? '' : ' that could be read'
  return `no file of the project${unread} has the name ${shown}`
}

/** Facts whose nouns differ from their names. */
const NOUNS: Readonly<Record<string, string>> = { materialized: 'materialization', access: 'access level' }

/** Facts that dbt may also compute at run time. */
const SET_BY_FILES: ReadonlySet<string> = new Set([
  'access',
  'group',
  'materialized',
  'owner',
  'schema',
  'tag',
])

/** Words that cannot be read because of what the question leaves out. */
const STAND_FOR: ReadonlySet<Sense['says'] | undefined> = new Set<Sense['says']>(['back', 'and', 'or'])

function explainUnread({ isSecond, known, unread }: Unread): string {
  if (isSecond)
    return `${JSON.stringify(cleanText(unread, 100))} starts a second question; ask one question at a time`
  if (STAND_FOR.has(PHRASES.get(unread)?.says))
    return `${JSON.stringify(unread)} refers to another question, but each question is answered on its own; name what you mean`
  if (!known) return `${JSON.stringify(cleanText(unread, 100))} is not understood`
  const noun = NOUNS[known.fact] ?? known.fact
  const { values } = known
  const isSet = SET_BY_FILES.has(known.fact)
  const others =
    values.length > 0 ? `the ${noun}s are ${list(values)}` : `there is no ${noun}${isSet ? ' in them' : ''}`
  const unknown =
    known.unknown.length === 0 ? '' : `; that of ${list(known.unknown)} is only known when dbt runs`
  const start = isSet ? 'the files of the project set no' : 'the project has no'
  return cleanText(`${start} ${noun} ${cleanText(unread, 100)}; ${others}${unknown}`)
}

function list(names: readonly string[]): string {
  const more = names.length - MOST_NAMES
  const shown = names.slice(0, MOST_NAMES).map((name) => cleanText(name, 60))
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
