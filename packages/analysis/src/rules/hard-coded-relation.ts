import { type IndexedModel, isCode, type ProjectIndex, scanSql } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Place } from '../project/source-file.ts'
import type { Hit, Rule } from '../rule.ts'
import type { Fix } from '../vocabulary.ts'
import { modelBehind, refOf } from './ref-of-relation.ts'
import { builtModels, subjectOf } from './subjects.ts'

/** dbt does not know a hard-coded relation: it has no lineage, and development reads the production table. */
export const hardCodedRelation = {
  id: 'SC402',
  name: 'hard-coded-relation',
  group: 'graph',
  severity: 'warning',
  isDefault: true,
  needs: ['files'],
  summary: 'SQL names a schema and a table instead of a ref or source',
  docs: {
    why: 'dbt does not see the dependency: the relation is missing from lineage, may be built too late, and is the same one in development and production.',
    example: { language: 'sql', code: 'select * from raw.shop.orders' },
    remedy:
      'Declare a source and use `source()`, or use `ref()` for a model. Aliases, CTEs and the information schema are ignored.',
  },
  fix: {
    safety: 'unsafe',
    summary:
      'writes `source()` or `ref()` if the name matches exactly one declared source table or one model',
  },
  check: (project) =>
    builtModels(project)
      .filter(({ kind, path }) => kind !== 'seed' && path.endsWith('.sql'))
      .flatMap((model) => relationsIn(project, model).map((relation) => toHit(project, model, relation))),
} satisfies Rule

/** A table as `source()` names it. */
interface SourceTable {
  readonly source: string
  readonly table: string
}

/** A read of a relation of the project by its name in the warehouse. */
export interface HardCodedRead {
  /** The name as written, without quotes: `raw.shop.orders`. */
  readonly name: string
  readonly place: Place
  readonly to: SourceTable | IndexedModel
}

/** Returns the relations of the project that a model reads by name, each only if the name means exactly one. */
export function hardCodedReads(project: LintProject, model: IndexedModel): readonly HardCodedRead[] {
  if (model.kind === 'seed' || !model.path.endsWith('.sql')) return []
  return relationsIn(project, model).flatMap(({ end, parts, start }) => {
    const to = declaredSource(project.index, parts) ?? modelBehind(project, model, parts)
    return to ? [{ name: parts.join('.'), place: { path: model.path, start, end }, to }] : []
  })
}

interface Relation {
  readonly parts: readonly string[]
  readonly start: number
  readonly end: number
}

type Token = ReturnType<typeof scanSql>[number]

/** System schemas of warehouses, which no source declares. */
const SYSTEM = new Set(['information_schema', 'pg_catalog', 'sys', 'system'])

function relationsIn(project: LintProject, { path }: IndexedModel): readonly Relation[] {
  const text = project.files.get(path)?.text ?? ''
  if (!mayNameRelation(text)) return []
  const tokens = scanSql(text, project.dialect).filter(
    (token) => isCode(token) && token.kind !== 'jinja-block',
  )
  const aliases = aliasesIn(tokens)
  return queryWords(tokens).flatMap((index) => {
    const relation = readRelation(tokens, index + 1)
    const isMeant =
      relation &&
      !aliases.has(relation.parts[0]?.toLowerCase() ?? '') &&
      !relation.parts.some((part) => SYSTEM.has(part.toLowerCase()))
    return isMeant ? [relation] : []
  })
}

/** Matches `from` or `join` before a dotted name, possibly with tokens between them. */
function mayNameRelation(text: string): boolean {
  const dotted = /\s*(?:$|--|\/|#|`[^`]*\.|(?:"[^"]*"|\[[^\]]*\]|`[^`]*`|[\w$-]+)\s*\.)/y
  return [...text.matchAll(/\b(?:from|join)\b/gi)].some(({ 0: word, index }) => {
    dotted.lastIndex = index + word.length
    return dotted.test(text)
  })
}

function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toLowerCase())
}

/** Returns the indexes of `from` and `join` before a relation, unlike `extract(day from …)` and `is distinct from`. */
function queryWords(tokens: readonly Token[]): readonly number[] {
  const open: boolean[] = []
  const found: number[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.text === '(')
      open.push(isWord(tokens[index + 1], 'select', 'with', 'from') || tokens[index + 1]?.text === '(')
    if (token.text === ')') open.pop()
    const isFrom = isWord(token, 'from') && (open.at(-1) ?? true) && !isWord(tokens[index - 1], 'distinct')
    if (isFrom || isWord(token, 'join')) found.push(index)
  }
  return found
}

/** Returns a dotted name without a following parenthesis; undefined for anything else, and for a name with Jinja. */
function readRelation(tokens: readonly Token[], from: number): Relation | undefined {
  const parts: string[] = []
  let index = from
  for (;;) {
    const token = tokens[index]
    if (token?.kind !== 'word' && token?.kind !== 'name') return undefined
    parts.push(...partsOf(token))
    const [dot, next] = [tokens[index + 1], tokens[index + 2]]
    const isJoined = dot?.text === '.' && dot.start === token.end && next?.start === dot.end
    if (!isJoined) {
      const isRelation = parts.length > 1 && parts.length < 5 && dot?.text !== '(' && dot?.text !== '.'
      const isTouched = dot?.kind === 'jinja' && dot.start === token.end
      return isRelation && !isTouched ? { parts, start: tokens[from]?.start ?? 0, end: token.end } : undefined
    }
    index += 2
  }
}

/** BigQuery allows a whole path between backticks. */
function partsOf({ kind, text }: Token): readonly string[] {
  if (kind === 'word') return [text]
  const inner = text.slice(1, -1)
  return text.startsWith('`') ? inner.split('.') : [inner]
}

/** Returns names that may mean a relation in this file: CTEs and aliases. */
function aliasesIn(tokens: readonly Token[]): ReadonlySet<string> {
  const names = tokens.flatMap((token, index) => {
    if (token.kind !== 'word' && token.kind !== 'name') return []
    const [before, after] = [tokens[index - 1], tokens[index + 1]]
    const isCte = isWord(after, 'as') && tokens[index + 2]?.text === '('
    const isAlias =
      before !== undefined &&
      (isWord(before, 'as') || before.text === ')' || before.kind === 'jinja' || isBehindName(tokens, index))
    return isCte || isAlias ? [...partsOf(token)] : []
  })
  return new Set(names.map((name) => name.toLowerCase()))
}

/** `from orders o`: two names without anything between them. */
function isBehindName(tokens: readonly Token[], index: number): boolean {
  const [before, first] = [tokens[index - 1], tokens[index - 2]]
  const isName = before?.kind === 'word' || before?.kind === 'name'
  return isName && (isWord(first, 'from', 'join') || first?.text === '.')
}

function toHit(project: LintProject, model: IndexedModel, { end, parts, start }: Relation): Hit {
  const place = { path: model.path, start, end }
  const name = parts.join('.')
  const call = callFor(project, model, parts)
  const fix: Fix | undefined =
    call === undefined
      ? undefined
      : {
          safety: 'unsafe',
          summary: `write ${call}`,
          edit: { kind: 'text', edits: [{ ...place, text: `{{ ${call} }}` }] },
        }
  return {
    message: `${model.name} reads ${name} by a hard-coded name`,
    ...(call !== undefined && { help: `use {{ ${call} }}` }),
    place,
    subject: subjectOf(model, name),
    ...(fix && { fix }),
  }
}

function callFor(project: LintProject, model: IndexedModel, parts: readonly string[]): string | undefined {
  const declared = declaredSource(project.index, parts)
  if (declared) {
    const { source, table } = declared
    return `${source}${table}`.includes("'") ? undefined : `source('${source}', '${table}')`
  }
  const meant = modelBehind(project, model, parts)
  return meant && refOf(meant)
}

/** Returns the only table of a source with this place; undefined if there is none, or several. */
function declaredSource({ sources }: ProjectIndex, parts: readonly string[]): SourceTable | undefined {
  const [table = '', schema, database] = parts.toReversed().map((part) => part.toLowerCase())
  const declared = sources
    .filter((source) => source.schema?.toLowerCase() === schema)
    .filter((source) => database === undefined || source.database?.toLowerCase() === database)
    .flatMap((source) =>
      source.tables
        .filter(({ identifier }) => identifier.toLowerCase() === table)
        .map(({ name }) => ({ source: source.name, table: name })),
    )
  return declared.length === 1 ? declared[0] : undefined
}
