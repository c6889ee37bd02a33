import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashText } from '../lock/hashes.ts'
import { readIfThere } from './durable.ts'
import { STATE_FOLDER } from './write-changes.ts'

/** Keeps generated texts by their SHA-256. They help merges, but are optional. */
export interface TextStore {
  /** Returns a text; undefined when it was not kept. */
  read(sha256: string): string | undefined
  add(texts: Iterable<string>): void
  /** Stores the texts of files as written. */
  addWritten(texts: Iterable<string>): void
  /** Removes all but the texts of these hashes. */
  keepOnly(sha256: ReadonlySet<string>): void
  /** Returns true if a file is unchanged since it was written. */
  wasWritten(text: string): boolean
}

/** The suffix of an empty file: merged texts are known only by their hash, and are never the base of a merge. */
const WRITTEN = '.written'

/** Creates the store of a project: files in `.stagecraft/base`, which git ignores. */
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
    keepOnly(sha256) {
      for (const name of existsSync(place) ? readdirSync(place) : [])
        if (!sha256.has(name.replace(WRITTEN, ''))) rmSync(join(place, name))
    },
    wasWritten: (text) => existsSync(join(place, `${hashText(text)}${WRITTEN}`)),
  }
}
