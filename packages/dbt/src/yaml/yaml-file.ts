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
import { Refusal } from './refusal.ts'
import type { YamlText, YamlValue } from './yaml-edit.ts'
import { yamlFault } from './yaml-fault.ts'
import { styleOf, type YamlStyle } from './yaml-style.ts'

/** A file of YAML, read with the places of everything in it. */
export interface YamlFile extends YamlText {
  readonly document: Document
  /** The data of the text; nothing in it is shared between two places. */
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
  const document = readDocument(text)
  const [error] = document.errors
  if (error) throw new Refusal(`it is not valid YAML: ${yamlFault(error)}`, error.pos[0])
  try {
    refuseMapsAsKeys(document)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(`it is not valid YAML: ${yamlFault(error)}`, 0)
  }
  let style: YamlStyle | undefined
  return {
    path,
    text,
    document,
    data: dataOf(document),
    // looking at all of a text takes longer than most edits
    get style() {
      return (style ??= styleOf({ document, text }))
    },
  }
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

/** `{{ doc("x") }}` without quotes is a map with a map as its key to YAML, and never what was meant. */
function refuseMapsAsKeys(document: Document): void {
  visit(document, {
    Pair(_, { key }) {
      if (isCollection(key))
        throw new Refusal('a key is itself a map or list; put Jinja in quotes', startOf(key))
    },
  })
}

/** The data as JSON has it, so that an edit that reaches a second place by an alias shows as a difference. */
function dataOf(document: Document): YamlValue {
  try {
    const json = JSON.stringify(document.toJS()) as string | undefined
    return json === undefined ? null : (JSON.parse(json) as YamlValue)
  } catch (error) {
    throw new Refusal(`its anchors and aliases cannot be resolved: ${yamlFault(error)}`, 0)
  }
}

/**
 * Finds the node that a path leads to; undefined when there is none.
 *
 * @throws {Refusal} When the way leads through an alias, or through a key that stands twice.
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
 * Finds the pair of a key in a map; undefined when there is none.
 *
 * @throws {Refusal} When the key stands twice.
 */
export function pairOf(map: Node, key: string): Pair | undefined {
  if (!isMap(map)) return undefined
  const pairs = map.items.filter((pair) => isPair(pair) && keyOf(pair) === key)
  if (pairs.length < 2) return pairs[0]
  throw new Refusal(`the key ${key} stands there twice; remove one of them`, startOf(map))
}

/** The key of a pair as text; undefined for one that is not a scalar. */
export function keyOf({ key }: Pair): string | undefined {
  return isNode(key) && 'value' in key ? String(key.value) : undefined
}
