import { expect, test } from 'vitest'
import { planEditJsonSchema } from './plan-edit.ts'

/** The keywords that both providers enforce; see `JsonSchema`. */
const SUBSET = new Set(
  'type properties required additionalProperties items enum anyOf description'.split(' '),
)

function nodesOf(schema: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof schema !== 'object' || schema === null) return []
  const node = schema as Readonly<Record<string, unknown>>
  const below = [node['items'], ...Object.values(node['properties'] ?? {}), ...((node['anyOf'] as []) ?? [])]
  return [node, ...below.flatMap(nodesOf)]
}

test.each([true, false])(
  'uses only the subset that providers enforce; expressions: %s',
  (allowExpressions) => {
    const nodes = nodesOf(planEditJsonSchema({ allowExpressions }))
    expect(nodes.length).toBeGreaterThan(20)
    for (const node of nodes) {
      expect(Object.keys(node).filter((key) => !SUBSET.has(key))).toEqual([])
      expect(Array.isArray(node['type'])).toBe(false)
      if (node['type'] !== 'object') continue
      expect(node['additionalProperties']).toBe(false)
      expect(node['required']).toEqual(Object.keys(node['properties'] ?? {}))
    }
  },
)

test('contains expressions only if they are allowed', () => {
  expect(JSON.stringify(planEditJsonSchema({ allowExpressions: false }))).not.toContain('expression')
  expect(JSON.stringify(planEditJsonSchema({ allowExpressions: true }))).toContain('"expression"')
})
