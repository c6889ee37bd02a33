import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashText } from '../lock/hashes.ts'
import { readIfThere } from './durable.ts'
import { STATE_FOLDER } from './write-changes.ts'

/** Keeps texts that were generated, by their SHA-256. They help a merge, and nothing needs them. */
export interface TextStore {
  /** Returns a text; undefined when it was not kept. */
  read(sha256: string): string | undefined
  add(texts: Iterable<string>): void
  /** Remembers texts of files as they were written last. */
  addWritten(texts: Iterable<string>): void
  /** Tells whether a file is as it was written: a person has not changed it since. */
  wasWritten(text: string): boolean
}

/** Ends the name of an empty file: a merged text is known by its hash, and is no base of a merge. */
const WRITTEN = '.written'

/** Creates the store of a project: files in `.stagecraft/base`, which git does not see. */
export function textStore(folder: string): TextStore {
  const place = join(folder, STATE_FOLDER, 'base')
  return {
    read(sha256) {
      const text = readIfThere(join(place, sha256))
      return text !== undefined && hashText(text) === sha256 ? text : undefined
    },
    add(texts) {
      mkdirSync(place, { recursive: true })
      for (const text of texts) {
        const file = join(place, hashText(text))
        if (!existsSync(file)) writeFileSync(file, text)
      }
    },
    addWritten(texts) {
      mkdirSync(place, { recursive: true })
      for (const text of texts) writeFileSync(join(place, `${hashText(text)}${WRITTEN}`), '')
    },
    wasWritten: (text) => existsSync(join(place, `${hashText(text)}${WRITTEN}`)),
  }
}
