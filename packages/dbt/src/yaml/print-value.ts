import { Document, isMap, isScalar, Scalar, visit } from 'yaml'
import type { YamlStyle } from './yaml-style.ts'
import type { YamlValue } from './yaml-edit.ts'

/**
 * Prints a value as lines of block style, without indent. Texts that YAML 1.1 reads as other types, such as `on` and
 * `12:30`, are quoted, because dbt reads YAML 1.1.
 */
export function printValue(
  value: YamlValue,
  { descriptions, indent, indentsLists }: YamlStyle,
): readonly string[] {
  const document = new Document(value, { compat: 'yaml-1.1' })
  visit(document, {
    Pair(_, pair) {
      const { key, value: prose } = pair
      if (isScalar(key) && key.value === 'description' && isProse(prose)) prose.type = descriptions
    },
    Collection(_, node) {
      if (!isMap(node) && node.items.length === 0) node.flow = true
    },
  })
  const text = document.toString({
    lineWidth: 0,
    indent,
    indentSeq: indentsLists,
    flowCollectionPadding: false,
  })
  return text.replace(/\n$/, '').split('\n')
}

function isProse(node: unknown): node is Scalar {
  return isScalar(node) && typeof node.value === 'string' && !node.value.includes('\n') && node.value !== ''
}

/** Prints a value on one line, for use between brackets and braces. */
export function printFlow(value: YamlValue): string {
  const document = new Document(value, { compat: 'yaml-1.1' })
  visit(document, {
    Collection(_, node) {
      node.flow = true
    },
    Scalar(_, node) {
      if (typeof node.value === 'string' && !/^[\w.]+$/.test(node.value)) node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document.toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd()
}

/** Prints a scalar with the quotes of the former one. */
export function printScalar(value: string | number | boolean, type: YamlStyle['descriptions']): string {
  const scalar = new Scalar(value)
  if (typeof value === 'string' && !value.includes('\n')) scalar.type = type
  return new Document(scalar, { compat: 'yaml-1.1' }).toString({ lineWidth: 0 }).trimEnd()
}
