import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  visit,
} from 'yaml'
import { startOf } from './positions.ts'
import { readPlain } from './read-yaml.ts'
import { Refusal } from './refusal.ts'
import type { YamlText, YamlValue } from './yaml-edit.ts'
import { yamlFault } from './yaml-fault.ts'
import { styleOf, type YamlStyle } from './yaml-style.ts'

/** A parsed YAML file with all places. */
export interface YamlFile extends YamlText {
  readonly document: Document
  /** The data of the text, without values shared between places. */
  readonly data: YamlValue
  /** The style that new entries follow. */
  readonly style: YamlStyle
}

/** Leads from the root to a value: keys of maps and indexes of lists. */
export type YamlPath = readonly (string | number)[]

/**
 * Reads a text for editing.
 *
 * @throws {Refusal} For a text with errors, with several documents, or with Jinja that YAML takes for a map.
 */
export function parseYaml({ path, text }: YamlText): YamlFile {
  const plain = readPlain(text)
  if (plain === undefined) return openFile({ path, text }, parseWhole(text))
  let document: Document | undefined
  return openFile({ path, text }, { data: asJson(plain), document: () => (document ??= readDocument(text)) })
}

interface Parsed {
  readonly data: YamlValue
  readonly document: () => Document
}

function openFile(text: YamlText, { data, document }: Parsed): YamlFile {
  let style: YamlStyle | undefined
  return {
    ...text,
    data,
    // places are asked for where something is to be edited, not where what was edited is read again
    get document() {
      return document()
    },
    // checking the whole text takes longer than most edits
    get style() {
      return (style ??= styleOf({ document: document(), text: text.text }))
    },
  }
}

function parseWhole(text: string): Parsed {
  const document = readDocument(text)
  const [error] = document.errors
  if (error) throw new Refusal(`it is not valid YAML: ${yamlFault(error)}`, error.pos[0])
  try {
    refuseMapsAsKeys(document)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(`it is not valid YAML: ${yamlFault(error)}`, 0)
  }
  return { data: dataOf(document), document: () => document }
}

function readDocument(text: string): Document {
  try {
    return parseDocument(text, {
      keepSourceTokens: true,
      merge: true,
      uniqueKeys: false,
      logLevel: 'silent',
      prettyErrors: false,
    })
  } catch (error) {
    throw new Refusal(`it is not valid YAML: ${yamlFault(error)}`, 0)
  }
}

/** YAML reads unquoted `{{ doc("x") }}` as a map with a map as its key, which is never intended. */
function refuseMapsAsKeys(document: Document): void {
  visit(document, {
    Pair(_, { key }) {
      if (isCollection(key))
        throw new Refusal('a key is itself a map or list; put Jinja in quotes', startOf(key))
    },
  })
}

/** Returns the data as JSON, so that an edit that changes a second place through an alias shows as a difference. */
function dataOf(document: Document): YamlValue {
  try {
    return asJson(document.toJS())
  } catch (error) {
    throw new Refusal(`its anchors and aliases cannot be resolved: ${yamlFault(error)}`, 0)
  }
}

function asJson(data: unknown): YamlValue {
  const json = JSON.stringify(data) as string | undefined
  return json === undefined ? null : (JSON.parse(json) as YamlValue)
}

/**
 * Finds the node at a path; undefined if there is none.
 *
 * @throws {Refusal} If the path has an alias, or a repeated key.
 */
export function nodeAt({ document }: YamlFile, path: YamlPath): Node | undefined {
  let node: unknown = document.contents
  for (const step of path) {
    if (isMap(node) && typeof step === 'string') node = pairOf(node, step)?.value
    else if (isSeq(node) && typeof step === 'number') node = node.items[step]
    else return undefined
    if (isAlias(node))
      throw new Refusal(`it is the alias *${node.source} of another entry; edit it by hand`, startOf(node))
  }
  return isNode(node) ? node : undefined
}

/**
 * Finds the pair of a key in a map; undefined if there is none.
 *
 * @throws {Refusal} If the key is repeated.
 */
export function pairOf(map: Node, key: string): Pair | undefined {
  if (!isMap(map)) return undefined
  const pairs = map.items.filter((pair) => isPair(pair) && keyOf(pair) === key)
  if (pairs.length < 2) return pairs[0]
  throw new Refusal(`the key ${key} occurs twice; remove one of them`, startOf(map))
}

/** Returns the key of a pair as text; undefined for one that is not a scalar. */
export function keyOf({ key }: Pair): string | undefined {
  return isNode(key) && 'value' in key ? String(key.value) : undefined
}
