import { type Config, StagecraftError } from '@stagecraft/spec'
import { Document, isMap, isScalar, isSeq } from 'yaml'
import { commitChange } from '../yaml/change.ts'
import { attempt } from '../yaml/refusal.ts'
import { insertItem } from '../yaml/insert-item.ts'
import { setPair } from '../yaml/set-pair.ts'
import type { YamlText, YamlValue } from '../yaml/yaml-edit.ts'
import { entriesOf, WORDS } from './merge-config.ts'
import { nodeAt, parseYaml, type YamlFile, type YamlPath } from '../yaml/yaml-file.ts'

/**
 * Adds entries to the text of a `stagecraft.yml` and touches nothing else in it. Existing entries stay; words are
 * added to the list that is there.
 *
 * @throws {StagecraftError} INVALID_REQUEST if the text cannot be edited safely, with the line and the text to add by
 * hand.
 */
export function addToConfig({ path, text }: YamlText, config: Config): string {
  const read = attempt({ path, text }, () => addMissing(parseYaml({ path, text }), [], config as YamlMap))
  if (!('status' in read)) return read.text
  throw StagecraftError.invalid(
    { path, line: read.line, expected: 'YAML that can be edited', received: read.reason },
    { subject: path, suggestion: 'add by hand what stagecraft learn prints' },
  )
}

type YamlMap = Readonly<Record<string, YamlValue>>

function addMissing(file: YamlFile, path: YamlPath, entries: YamlMap): YamlFile {
  return Object.entries(entries).reduce((state, [key, value]) => {
    const present = nodeAt(state, [...path, key])
    if (present === undefined || isEmpty(present)) {
      const after = path.length === 0 ? { after: TOP.slice(0, TOP.indexOf(key)) } : {}
      return commitChange(state, setPair(state, path, { key, value, ...after }))
    }
    if (isMap(present) && isRecord(value)) return addMissing(state, [...path, key], value)
    return key === WORDS && isSeq(present) && Array.isArray(value)
      ? addWords(state, [...path, key], value as readonly string[])
      : state
  }, file)
}

/** Adds words to the end of a list that has others. */
function addWords(file: YamlFile, path: YamlPath, words: readonly string[]): YamlFile {
  return words.reduce((state, word) => {
    const list = nodeAt(state, path)
    const present = isSeq(list) ? list.items.map((item) => (isScalar(item) ? item.value : undefined)) : []
    return present.includes(word)
      ? state
      : commitChange(state, insertItem(state, path, { index: present.length, value: word }))
  }, file)
}

/** The order of top-level entries. */
const TOP = ['preset', 'dialect', 'dbtVersion', 'catalog', 'options', 'naming', 'sources']

function isEmpty(node: object): boolean {
  return 'value' in node && node.value === null
}

function isRecord(value: YamlValue): value is YamlMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Prints a new `stagecraft.yml`.
 *
 * @param comments The comment on each entry, by its path: `naming.ids`.
 */
export function printConfig(config: Config, comments: ReadonlyMap<string, string>): string {
  const document = new Document(config)
  for (const [path] of entriesOf(config)) {
    const node = document.getIn(path, true)
    if (isSeq(node)) node.flow = true
    const comment = comments.get(path.join('.'))
    if (comment !== undefined && (isScalar(node) || isSeq(node))) node.comment = ` ${comment}`
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false, singleQuote: true })
}
