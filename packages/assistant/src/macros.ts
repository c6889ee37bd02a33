import { findCalls, jinjaBlocks } from '@stagecraft/dbt'
import type { ProjectView } from './project-view.ts'
import { oncePerView } from './references.ts'
import { isSame, lookUp } from './resources.ts'
import { DBT_MACROS } from './tools/dbt-macros.ts'

/** A place that calls a macro, or hands it to `adapter.dispatch`. */
export interface MacroCall {
  readonly path: string
  readonly line: number
  /** The macro in whose body it is. @default it is in none */
  readonly caller?: string
}

/** Finds the macro of a name or an id, `macro.cents`; a relation of the same name is meant before it. */
export function macroNamed(view: ProjectView, wanted: string): string | undefined {
  const isId = wanted.startsWith('macro.')
  const name = isId ? wanted.slice('macro.'.length) : wanted
  const found = view.project.index.macros.find((macro) => isSame(macro.name, name))
  return found && (isId || !lookUp(view, wanted)) ? found.name : undefined
}

/** Returns the places that call a macro, without those in its own body. */
export function callsOfMacro(view: ProjectView, name: string): readonly MacroCall[] {
  const { byName, dispatched } = macroCalls(view)
  const all = [...(byName.get(name) ?? []), ...(dispatched.get(baseOf(name) ?? '') ?? [])]
  return all.filter(({ caller }) => caller !== name)
}

/** Ways to use a macro that no file calls. */
export type HiddenUse = 'dbt calls it' | 'a package may call it' | 'files name it without calling it'

/** Returns how a macro may be used although no file calls it; undefined if nothing can use it. */
export function hiddenUse(view: ProjectView, name: string): HiddenUse | undefined {
  const base = baseOf(name)
  if (DBT_MACROS.has(name) || (base !== undefined && DBT_MACROS.has(base))) return 'dbt calls it'
  const { hasComputedNames, words } = macroCalls(view)
  // the macro of a generic test has this prefix, and YAML has the name of the test
  const written = [name, ...(name.startsWith('test_') ? [name.slice('test_'.length)] : [])]
  if (hasComputedNames || written.some((word) => (words.get(word) ?? 0) > 0))
    return 'files name it without calling it'
  return base !== undefined && view.project.index.packages.length > 0 ? 'a package may call it' : undefined
}

/** The name that is dispatched to `default__cents` or `postgres__cents`. */
function baseOf(name: string): string | undefined {
  return /^[a-z0-9]+__(.+)$/.exec(name)?.[1]
}

interface MacroCalls {
  readonly byName: ReadonlyMap<string, readonly MacroCall[]>
  readonly dispatched: ReadonlyMap<string, readonly MacroCall[]>
  /** How often words stand in Jinja and YAML, without the names in the heads of macros. */
  readonly words: ReadonlyMap<string, number>
  /** A macro is taken from the context by a name that is computed. */
  readonly hasComputedNames: boolean
}

const macroCalls = oncePerView(({ project }): MacroCalls => {
  const byName = new Map<string, MacroCall[]>()
  const dispatched = new Map<string, MacroCall[]>()
  const names = new Set(project.index.macros.map(({ name }) => name))
  const files = names.size === 0 ? [] : [...project.files.values()]
  let hasComputedNames = false
  const add = (places: Map<string, MacroCall[]>, name: string, call: MacroCall): void =>
    void places.set(name, [...(places.get(name) ?? []), call])
  for (const { path, text } of files.filter((file) => /\{[{%]/.test(file.text))) {
    const bodies = bodiesOf(text)
    for (const { line, name, offset, positional } of project.calls.get(path) ?? findCalls(text)) {
      const caller = bodies.find(({ head, to }) => offset >= head && offset < to)?.name
      const call = { path, line, ...(caller !== undefined && { caller }) }
      const [first] = positional
      const last = name.slice(name.lastIndexOf('.') + 1)
      if (names.has(last)) add(byName, last, call)
      if (last === 'dispatch' && typeof first === 'string') add(dispatched, first, call)
      if (last === 'dispatch' && first === undefined) hasComputedNames = true
    }
    if (/\bcontext\s*(?:\[|\.get\()\s*(?!['"])/.test(jinjaOf(text))) hasComputedNames = true
  }
  return { byName, dispatched, words: wordsOf(files, project), hasComputedNames }
})

/** Counts the words in Jinja and YAML, without those that name a macro in itself or describe it. */
function wordsOf(
  files: readonly { readonly path: string; readonly text: string }[],
  { properties }: ProjectView['project'],
): ReadonlyMap<string, number> {
  const words = new Map<string, number>()
  const count = (word: string, by: number): void => void words.set(word, (words.get(word) ?? 0) + by)
  for (const { path, text } of files) {
    const isYaml = /\.ya?ml$/i.test(path)
    for (const [word] of (isYaml ? text : jinjaOf(text)).matchAll(/\w+/g)) count(word, 1)
    for (const { from, name, to } of isYaml ? [] : bodiesOf(text)) {
      const own = [...jinjaOf(text.slice(from, to)).matchAll(/\w+/g)].filter(([word]) => word === name)
      count(name, -own.length)
    }
  }
  for (const { name } of properties.flatMap(({ entries }) => entries('macros'))) count(name, -1)
  return words
}

/** The Jinja of a text, without the heads of macros and the names of blocks that end. */
function jinjaOf(text: string): string {
  return jinjaBlocks(text)
    .filter(({ kind }) => kind !== 'text')
    .map(({ source }) => source.replace(/^[-+]?\s*macro\s+\w+/, ''))
    .join('\n')
}

interface Body {
  readonly name: string
  /** The offset of its head, in which its name looks like a call. */
  readonly head: number
  readonly from: number
  readonly to: number
}

/** The bodies of the macros in a text, by offset. */
function bodiesOf(text: string): readonly Body[] {
  const found: Body[] = []
  let open: Omit<Body, 'to'> | undefined
  for (const { kind, offset, source } of jinjaBlocks(text)) {
    if (kind !== 'statement') continue
    const [, name] = /^[-+]?\s*macro\s+(\w+)/.exec(source) ?? []
    if (name !== undefined && !open) open = { name, head: offset, from: offset + source.length + 2 }
    else if (/^[-+]?\s*endmacro\b/.test(source) && open) {
      found.push({ ...open, to: offset })
      open = undefined
    }
  }
  return found
}
