import { type FileEntries, type GeneratedTables, readEntries } from './generated.ts'

/** The parts of the project that are needed to place entries. */
export interface Present {
  /** The text of a file; undefined when there is none. */
  readonly text: (path: string) => string | undefined
  /** Returns the entries of a file; none for a file that does not exist or is not YAML. */
  readonly entries: (path: string) => FileEntries
}

const NO_ENTRIES: FileEntries = { properties: new Map(), tables: new Map() }

/**
 * Reads what texts say, each once.
 *
 * @param generated What is generated: a text that is the same is not read again.
 */
export function presentFiles(
  texts: ReadonlyMap<string, string | undefined>,
  generated?: GeneratedTables,
): Present {
  const read = new Map<string, FileEntries>()
  return {
    text: (path) => texts.get(path),
    entries(path) {
      const known = read.get(path)
      if (known) return known
      const text = texts.get(path) ?? ''
      const isGenerated = generated?.yaml.get(path)?.content === text
      const entries = isGenerated ? generated.entries(path) : tryRead(text)
      read.set(path, entries)
      return entries
    },
  }
}

/** A file that is not YAML has no entries; editing it is refused with the line that is wrong. */
function tryRead(text: string): FileEntries {
  try {
    return readEntries(text)
  } catch {
    return NO_ENTRIES
  }
}
