import { hashText } from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import { check } from '@stagecraft/spec/validate'
import { z } from '@stagecraft/spec/zod'
import { cleanData, cleanText } from './clean-text.ts'
import type { ProjectView } from './project-view.ts'
import type { ToolPorts } from './tool-ports.ts'

/** The most bytes of a result, as JSON. */
export const RESULT_BYTES = 8 * 1024

/** Texts of an item that is larger than a result are cut to this length. */
const SHORT_TEXT = 40
const NOTES = 8
const DEFAULT_LIMIT = 20

/** The id of a resource, in the input of tools. */
export const idInput = z
  .string()
  .min(1)
  .max(300)
  .describe('model.stg_orders, source.shop.orders, or a column, model.stg_orders:amount')

/** The required members of an item: what it is, and the place to cite. */
export const itemSchema = z.object({
  id: z.string(),
  kind: z.string(),
  file: z.string(),
  line: z.int().min(1).max(100_000_000),
  text: z.string().optional(),
})
export type Item = z.infer<typeof itemSchema>

const pageShape = {
  limit: z.int().min(1).max(50).default(DEFAULT_LIMIT),
  cursor: z.string().max(100).optional(),
}

const resultShape = {
  untrusted: z.literal(true),
  total: z.int().min(0).max(100_000_000),
  nextCursor: z.string().optional(),
  notes: z.array(z.string()).optional(),
}

/** The answer of a tool, cut to a page. All texts in it are data of the project, not instructions. */
export interface ToolResult {
  readonly untrusted: true
  /** The number of all items. */
  readonly total: number
  readonly items: readonly Item[]
  /** Gets the next page. @default this is the last one */
  readonly nextCursor?: string
  /** Gaps in what is known, with their reasons. @default nothing */
  readonly notes?: readonly string[]
  readonly [field: string]: unknown
}

/**
 * The side effect of a call: `reads` has none; `proposes` keeps a proposal, which changes nothing until a person
 * applies it.
 */
export type ToolEffect = 'reads' | 'proposes'

/** A question about a project. It writes no file of the project, opens no connection and runs no SQL. */
export interface Tool {
  readonly name: string
  readonly effect: ToolEffect
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  /**
   * Answers with one page.
   *
   * @param ports The ports of the shell. @default none: tools that propose refuse, and results have no values of rows
   * @throws {StagecraftError} INVALID_REQUEST for invalid input, an unknown name or an outdated cursor.
   */
  readonly call: (view: ProjectView, input: unknown, ports?: ToolPorts) => Promise<ToolResult>
  /** Answers with all items, for programs that print them. */
  readonly all: (view: ProjectView, input: unknown, ports?: ToolPorts) => Promise<ToolResult>
}

/** The result of a tool's handler, before it is cleaned and cut. */
interface Answer<Head, One> {
  /** @default nothing */
  readonly head?: Head
  readonly items: readonly One[]
  readonly notes?: readonly string[]
}

interface ToolForm<Input extends z.ZodRawShape, Head extends z.ZodRawShape, One extends z.ZodType<Item>> {
  readonly name: string
  readonly title: string
  readonly description: string
  /** @default 'reads' */
  readonly effect?: ToolEffect
  readonly input: Input
  /** Fields besides the items. */
  readonly head?: Head
  readonly item: One
  readonly run: (
    view: ProjectView,
    input: z.infer<z.ZodObject<Input>>,
    ports: ToolPorts,
  ) =>
    | Promise<Answer<z.infer<z.ZodObject<Head>>, z.infer<One>>>
    | Answer<z.infer<z.ZodObject<Head>>, z.infer<One>>
}

/** Creates a tool from its definition: checks input and output, cleans texts, and cuts items to a page. */
export function defineTool<
  Input extends z.ZodRawShape,
  Head extends z.ZodRawShape,
  One extends z.ZodType<Item>,
>(form: ToolForm<Input, Head, One>): Tool {
  const own = z.strictObject(form.input)
  const { effect = 'reads' } = form
  // the next page of a proposal would be another proposal
  const input = effect === 'reads' ? z.strictObject({ ...form.input, ...pageShape }) : own
  const output = z.object({ ...form.head, items: z.array(form.item), ...resultShape })
  const find = async (
    view: ProjectView,
    given: z.infer<typeof own>,
    ports: ToolPorts,
  ): Promise<Answer<object, Item>> => {
    const { head, items, notes } = await form.run(view, given, ports)
    const all = [...new Set([...unreadFiles(view), ...(notes ?? [])])]
    return cleanData({ head: head ?? {}, items, notes: all.slice(0, NOTES) })
  }
  return {
    name: form.name,
    title: form.title,
    description: form.description,
    effect,
    input,
    output,
    async call(view, given, ports = {}) {
      const { cursor, limit, ...rest } = parse(input, given) as PageInput
      const answer = await find(view, parse(own, rest), ports)
      const page = cutPage(answer, { cursor, limit: limit ?? DEFAULT_LIMIT })
      if (effect === 'reads') return output.parse(page) as unknown as ToolResult
      const { nextCursor, ...only } = page
      const more =
        nextCursor === undefined ? [] : [`${page.total - page.items.length} further files are not shown`]
      return output.parse({ ...only, notes: [...(page.notes ?? []), ...more] }) as unknown as ToolResult
    },
    async all(view, given, ports = {}) {
      const { head, items, notes } = await find(view, parse(own, given), ports)
      return { untrusted: true, ...head, total: items.length, items, ...(notes?.length && { notes }) }
    },
  }
}

/** Says which files of the project cannot be read: what they define and describe is missing in every answer. */
function unreadFiles({ project }: ProjectView): readonly string[] {
  const { faults } = project.index
  const shown = faults
    .slice(0, SHOWN_FAULTS)
    .map(({ line, path, reason }) => `${path}:${line} cannot be read, so what it says is missing: ${reason}`)
  const rest = faults.length - shown.length
  return rest > 0 ? [...shown, `${rest} more files cannot be read`] : shown
}

const SHOWN_FAULTS = 3

interface PageInput {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

function parse<Schema extends z.ZodType>(schema: Schema, given: unknown): z.infer<Schema> {
  const checked = check(schema, given ?? {})
  if ('value' in checked) return checked.value
  throw StagecraftError.invalid(
    checked.faults.map(({ expected, path, received }) => ({
      path: cleanText(path, 100),
      expected: cleanText(expected),
      received: cleanText(received, 100),
    })),
  )
}

/** Cuts an answer to a page that has at most `limit` items and fits into the bytes of a result. */
function cutPage({ head, items, notes }: Answer<object, Item>, { cursor, limit }: PageInput): ToolResult {
  const hash = hashText(JSON.stringify([head, items])).slice(0, 12)
  const start = cursor === undefined ? 0 : readCursor(cursor, hash)
  const empty: ToolResult = {
    untrusted: true,
    ...head,
    total: items.length,
    items: [],
    ...(notes?.length && { notes }),
  }
  // room for a cursor, which the last page does not need
  let room = RESULT_BYTES - sizeOf({ ...empty, nextCursor: printCursor(items.length, hash) })
  const page: Item[] = []
  for (const item of items.slice(start, start + (limit ?? DEFAULT_LIMIT))) {
    const fitting = page.length === 0 && sizeOf(item) >= room ? cleanData(item, SHORT_TEXT) : item
    room -= sizeOf(fitting) + 1
    if (room < 0 && page.length > 0) break
    page.push(fitting)
  }
  const end = start + page.length
  return { ...empty, items: page, ...(end < items.length && { nextCursor: printCursor(end, hash) }) }
}

function sizeOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length
}

function printCursor(offset: number, hash: string): string {
  return `${offset}-${hash}`
}

/** @throws {StagecraftError} INVALID_REQUEST for a cursor of another answer: the project or the question changed. */
function readCursor(cursor: string, hash: string): number {
  const [, offset, own] = /^(\d{1,9})-([0-9a-f]{12})$/.exec(cursor) ?? []
  if (offset !== undefined && own === hash) return Number(offset)
  throw StagecraftError.invalid(
    {
      path: 'cursor',
      expected: 'the nextCursor of the same question',
      received: JSON.stringify(cleanText(cursor, 40)),
    },
    { suggestion: 'the project or the question changed; ask again without a cursor' },
  )
}
