import { type FileEntries, type GeneratedTables, readEntries } from './generated.ts'

/** The parts of the project for placing entries. */
export interface Present {
  /** Returns the text of a file; undefined if it does not exist. */
  readonly text: (path: string) => string | undefined
  /** Returns the entries of a file; none for a file that does not exist or is not YAML. */
  readonly entries: (path: string) => FileEntries
  /** Returns the same project with other texts of files. */
  readonly with: (texts: ReadonlyMap<string, string | undefined>) => Present
}

const NO_ENTRIES: FileEntries = { properties: new Map(), tables: new Map() }

/**
 * Reads the entries of texts, each once.
 *
 * @param generated The generated output; equal texts are not read again.
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
    with: (changed) => presentFiles(new Map([...texts, ...changed]), generated),
  }
}

/** Invalid YAML has no entries; editing it is refused with the invalid line. */
function tryRead(text: string): FileEntries {
  try {
    return readEntries(text)
  } catch {
    return NO_ENTRIES
  }
}
