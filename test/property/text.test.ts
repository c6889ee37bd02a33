import { DIALECTS, parseSourceName } from '@stagecraft/core'
import { printSourceName } from '@stagecraft/core/run'
import fc from 'fast-check'
import nunjucks from 'nunjucks'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createYamlPrinter, indentLines } from '../../packages/core/src/render/print-yaml.ts'
import { escapeJinja } from '../../packages/core/src/sql/identifiers.ts'
import { anyComment, anyDialect, anyName } from './arbitraries.ts'

const printYaml = createYamlPrinter()

test('escaped text comes out of a Jinja renderer as it went in', () => {
  const jinja = new nunjucks.Environment(null, { autoescape: false })
  fc.assert(
    fc.property(fc.oneof(anyComment, fc.stringMatching(/^[{}%#'" a]{0,12}$/)), (text) => {
      expect(jinja.renderString(escapeJinja(text), {})).toBe(text)
    }),
    { numRuns: 1000 },
  )
})

test('a dotted name that is printed reads back as it was', () => {
  const part = anyName.filter((name) => !/[\n]/.test(name))
  fc.assert(
    fc.property(anyDialect, part, part, (name, schema, table) => {
      const dialect = DIALECTS[name]
      const parsed = parseSourceName(
        printSourceName({ database: undefined, schema, table }, dialect),
        dialect,
      )
      expect([parsed.schema?.text, parsed.table.text]).toEqual([schema, table])
    }),
    { numRuns: 1000 },
  )
})

test('any text survives YAML, as a scalar and in a tree', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      for (const version of ['1.1', '1.2'] as const) {
        expect(parse(`a:\n  - b: ${printYaml(text)}\n`, { version })).toEqual({ a: [{ b: text }] })
        const tree = [{ a: text, b: [text, { c: text }] }]
        expect(parse(`a:\n${indentLines(printYaml(tree), 4)}\n\n`, { version })).toEqual({ a: tree })
      }
    }),
    { numRuns: 1000 },
  )
})
