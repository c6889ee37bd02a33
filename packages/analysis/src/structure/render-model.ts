import type { IndexedModel } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Place } from '../project/source-file.ts'
import { dbtGlobals } from './jinja/dbt-globals.ts'
import { parseTemplate } from './jinja/parse-template.ts'
import { type Piece, Room } from './jinja/room.ts'
import { type MacroNode, type Node, TemplateFault } from './jinja/syntax.ts'
import { Callable } from './jinja/values.ts'
import type { StructureRelation } from './sql-structure.ts'

/** A model as SQL, with placeholder names for the relations that it reads. */
export interface RenderedModel {
  readonly sql: string
  /** The relations by their placeholder names. */
  readonly relations: ReadonlyMap<string, StructureRelation>
  /** Assumptions about values that are only known when dbt runs. */
  readonly guesses: readonly string[]
  /** Unknown values, printed as calls, that are only known when dbt runs. */
  readonly unknowns: readonly string[]
  /** Returns the place in the file of a piece of SQL, in UTF-16 offsets. */
  readonly placeOf: (start: number, end: number) => Place
}

/** The placeholder names of relations, which need no quotes in any dialect. */
const RELATION = 'stagecraft_relation_'

/** Renders models of a project; macros are read once. */
export interface ModelRenderer {
  /**
   * @throws {TemplateFault} For invalid Jinja.
   * @throws {Unworkable} For Jinja that cannot be evaluated.
   */
  readonly render: (model: IndexedModel, text: string) => RenderedModel
}

/** @param useMacros Evaluates macros of the project; otherwise their output is unknown. */
export function modelRenderer(project: LintProject, useMacros: boolean): ModelRenderer {
  const macros = macroReader(project)
  return {
    render: (model, text) => {
      const nodes = parseTemplate(text).filter((node) => node.kind !== 'body' || node.name === model.name)
      const relations = new Map<string, StructureRelation>()
      const add = (relation: StructureRelation): string => {
        const name = `${RELATION}${relations.size}_`
        relations.set(name, relation)
        return name
      }
      const room: Room = new Room({
        globals: globalsOf(project, {
          add,
          macro: (name) => callable(name),
          textOf: (template) => room.textOf(parseTemplate(template)),
          end: (value) => room.return(value),
        }),
        macro: (name) => (useMacros ? macros(name) : undefined),
      })
      const callable = (name: string): Callable | undefined => {
        const macro = useMacros ? macros(name) : undefined
        return macro && new Callable((given) => room.callMacro(macro, given))
      }
      const pieces = room.print(nodes)
      const sql = pieces.map((piece) => piece.text).join('')
      return {
        sql,
        relations,
        guesses: room.guesses,
        unknowns: room.unknowns,
        placeOf: placeFinder(model.path, pieces),
      }
    },
  }
}

interface GlobalsOptions {
  readonly add: (relation: StructureRelation) => string
  readonly macro: Parameters<typeof dbtGlobals>[0]['macro']
  readonly textOf: Parameters<typeof dbtGlobals>[0]['textOf']
  readonly end: Parameters<typeof dbtGlobals>[0]['return']
}

function globalsOf(
  { dialect, graph, index: { settings } }: LintProject,
  { add, end, macro, textOf }: GlobalsOptions,
): ReturnType<typeof dbtGlobals> {
  const [open, close] = dialect.identifiers.quotes
  return dbtGlobals({
    ref: (name, { home, version }) => {
      const found = graph.resolve({
        model: name,
        ...(home !== undefined && { package: home }),
        ...(version !== undefined && { version }),
      })
      return add(found ? { kind: 'model', model: found } : { kind: 'other', name })
    },
    source: (source, table) => add({ kind: 'source', source, table }),
    current: () => add({ kind: 'other', name: 'this' }),
    project: settings.name,
    vars: settings.vars,
    textOf,
    adapters: dialect.dbt.adapters,
    quote: (name) => `${open}${name}${close}`,
    macro,
    return: end,
  })
}

/** Reads the macros of a project; each file on the first call of its macros. */
function macroReader({ files, index }: LintProject): (name: string) => MacroNode | undefined {
  const paths = new Map(index.macros.map(({ name, path }) => [name, path]))
  const read = new Map<string, ReadonlyMap<string, MacroNode>>()
  return (name) => {
    const path = paths.get(name)
    if (path === undefined) return undefined
    const known = read.get(path) ?? macrosIn(files.get(path)?.text ?? '')
    read.set(path, known)
    return known.get(name)
  }
}

/** An unreadable file has no macros here: models that need one report it. */
function macrosIn(text: string): ReadonlyMap<string, MacroNode> {
  try {
    return new Map(macroNodes(parseTemplate(text)).map((macro) => [macro.name, macro]))
  } catch (error) {
    if (error instanceof TemplateFault) return new Map()
    throw error
  }
}

function macroNodes(nodes: readonly Node[]): readonly MacroNode[] {
  return nodes.filter((node) => node.kind === 'macro')
}

/** Finds the origin of a range of SQL: text of the file, or the braces that print it. */
function placeFinder(path: string, pieces: readonly Piece[]): RenderedModel['placeOf'] {
  const starts: number[] = []
  let length = 0
  for (const { text } of pieces) {
    starts.push(length)
    length += text.length
  }
  const indexOf = (offset: number): number => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low
  }
  return (start, end) => {
    const [from, to] = [indexOf(start), indexOf(Math.max(start, end - 1))]
    const [first, last] = [pieces[from], pieces[to]]
    if (!first || !last) return { path, start: 0, end: 0 }
    const begins = first.isLiteral ? first.start + (start - (starts[from] ?? 0)) : first.start
    const ends = last.isLiteral ? last.start + (end - (starts[to] ?? 0)) : last.end
    return { path, start: begins, end: Math.max(begins, ends) }
  }
}
