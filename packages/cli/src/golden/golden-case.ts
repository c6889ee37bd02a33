import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { parseConfig } from '@stagecraft/core'
import {
  type Config,
  type DialectName,
  type GenerationRequest,
  type Project,
  StagecraftError,
  type Table,
} from '@stagecraft/spec'
import { readIfThere } from '../files/read-if-there.ts'

/** The content of an `input.json`. */
export interface GoldenInput {
  readonly dialect?: DialectName
  readonly config?: Config
  readonly project?: Project
  /** Template texts by name, in place of files from the configuration. */
  readonly templates?: Readonly<Record<string, string>>
  /**
   * The model's answers in order, in an invented case: plan edits, or text that is not a plan edit. Recorded
   * in place of a live model's answers when the case is updated.
   */
  readonly answers?: readonly (object | string)[]
  /** The tables to generate for together. They are not checked here, because a case may be about invalid input. */
  readonly items: readonly { readonly request: GenerationRequest; readonly table: Table }[]
}

/** A recorded case: `input.json` beside `expected/**` or `error.json`. */
export interface GoldenCase {
  /** Its path below the golden folder. */
  readonly name: string
  readonly folder: string
  readonly input: GoldenInput
  /** The configuration of the input, otherwise the nearest `stagecraft.yml` between the case and the current folder. */
  readonly config: Config
  /** The base folder of template files. */
  readonly configFolder: string
}

/**
 * Finds all cases in a folder, ordered by name.
 *
 * @throws {StagecraftError} INVALID_REQUEST if there are none, or one cannot be read.
 */
export async function findCases(golden: string): Promise<readonly GoldenCase[]> {
  const inputs = await findInputs(golden)
  if (inputs.length === 0) throw noCases(golden)
  return Promise.all(inputs.map((file) => readCase(golden, dirname(file))))
}

async function findInputs(golden: string): Promise<readonly string[]> {
  const entries = await readdir(golden, { recursive: true, withFileTypes: true }).catch(() => {
    throw noCases(golden)
  })
  return entries
    .filter((entry) => entry.name === 'input.json')
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

function noCases(golden: string): StagecraftError {
  const expected = 'a folder with cases: input.json beside expected/ or error.json'
  return new StagecraftError('INVALID_REQUEST', `${golden}: expected ${expected}, found none`, {
    details: { faults: [{ path: 'folder', expected, received: golden }] },
  })
}

async function readCase(golden: string, folder: string): Promise<GoldenCase> {
  const name = (relative(golden, folder) || basename(resolve(golden))).replaceAll('\\', '/')
  const input = parseInput(await readFile(join(folder, 'input.json'), 'utf8'), name)
  if (input.config) {
    const config = parseConfig(JSON.stringify(input.config), `${name}/input.json`)
    return { name, folder, input, config, configFolder: folder }
  }
  return { name, folder, input, ...(await nearestConfig(resolve(folder), topOf(golden))) }
}

function parseInput(text: string, name: string): GoldenInput {
  try {
    return checkInput(JSON.parse(text), name)
  } catch (error) {
    if (error instanceof StagecraftError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new StagecraftError('INVALID_REQUEST', `${name}/input.json: expected JSON: ${reason}`, {
      details: { faults: [{ path: `${name}/input.json`, expected: 'JSON', received: reason }] },
    })
  }
}

/** Checks only the parts that the engine does not check, because many cases test the engine's own checks. */
function checkInput(input: unknown, name: string): GoldenInput {
  const items: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, 'items') : undefined
  if (Array.isArray(items)) return input as GoldenInput
  const expected = 'a list of { request, table }'
  const received = items === undefined ? 'nothing' : typeof items
  throw StagecraftError.invalid({ path: `${name}/input.json: items`, expected, received })
}

/** Returns the last folder to search: the current one if the case is below it, otherwise the golden folder. */
function topOf(golden: string): string {
  const current = process.cwd()
  return relative(current, resolve(golden)).startsWith('..') ? resolve(golden) : current
}

async function nearestConfig(
  folder: string,
  top: string,
): Promise<Pick<GoldenCase, 'config' | 'configFolder'>> {
  const file = join(folder, 'stagecraft.yml')
  const text = await readIfThere(file)
  if (text !== undefined) return { config: parseConfig(text, 'stagecraft.yml'), configFolder: folder }
  if (folder === top) return { config: {}, configFolder: folder }
  return nearestConfig(dirname(folder), top)
}
