import { expect, test } from 'vitest'
import { readNamedBlocks, readTemplate } from './read-template.ts'

test('finds references wherever Jinja is', () => {
  const facts = readTemplate(`{{ config(materialized='table', alias = "Orders", tags=['a']) }}
{# {{ ref('in_a_comment') }} #}
with a as (select * from {{ ref( "shop" , 'orders', v=2 ) }}),
-- {{ source('shop', 'rendered in a comment of SQL') }}
b as (select * from {{ source('shop','lines') }} where x = '{{ ref('in_a_text') }}')
{% for x in [ref('one'), ref('one')] %} {{ "{{ ref('quoted') }}" }} {% endfor %}
{% raw %}{{ ref('raw') }}{% endraw %}
{{ my.ref('member') }} {{ xref('other') }} {{ builtins.ref('built_in') }}`)
  expect(facts.models.map(({ line, model, package: home, version }) => [home, model, version, line])).toEqual(
    [
      ['shop', 'orders', '2', 3],
      [undefined, 'in_a_text', undefined, 5],
      [undefined, 'one', undefined, 6],
      [undefined, 'built_in', undefined, 8],
    ],
  )
  expect(facts.sources).toEqual([
    { source: 'shop', table: 'rendered in a comment of SQL', line: 4 },
    { source: 'shop', table: 'lines', line: 5 },
  ])
  expect(facts.isDynamic).toBe(false)
  expect(facts.config).toEqual({ materialized: 'table', alias: 'Orders', tags: ['a'] })
  expect(facts.calls).toEqual(['config', 'my.ref', 'xref'])
})

test.each([
  `{{ ref(name) }}`,
  `{{ source('shop', table) }}`,
  `{{ ref('a' ~ b) }}`,
  `{{ ref('a', v=latest) }}`,
])('%s may read more than is known', (text) => {
  expect(readTemplate(text)).toMatchObject({ models: [], sources: [], isDynamic: true })
})

test('reads blocks with their names and what they refer to', () => {
  const text = `{% macro cents(column) -%} {{ column }} {{ ref('rates') }} {%- endmacro %}

{% docs orders %} What {{ this }} is. {% enddocs %}
{%- snapshot orders_snapshot -%} select * from {{ source('shop', 'orders') }} {% endsnapshot %}`
  expect(
    readNamedBlocks(text).map(({ facts, kind, line, name }) => [kind, name, line, facts.models.length]),
  ).toEqual([
    ['macro', 'cents', 1, 1],
    ['docs', 'orders', 3, 0],
    ['snapshot', 'orders_snapshot', 4, 0],
  ])
})

test('reads lists and maps of configuration, and tells what is computed', () => {
  const { config } = readTemplate(`{{ config({'schema': 'a', 'enabled': true}, tags=['x', "y",], alias='b') }}
{{ config(contract={ 'enforced': True, }, meta={'owner': {'name': 'Ines'}, 'n': [1, none]}, grants={}, partition_by=[]) }}
{{ config(post_hook=["a", hook()], pre_hook={'sql': 'b' ~ this}, labels={key: 'a'}, sort=('a', 'b'), on=[1, 2][0]) }}`)
  expect(config).toEqual({
    schema: 'a',
    enabled: true,
    tags: ['x', 'y'],
    alias: 'b',
    contract: { enforced: true },
    meta: { owner: { name: 'Ines' }, n: [1, null] },
    grants: {},
    partition_by: [],
    post_hook: undefined,
    pre_hook: undefined,
    labels: undefined,
    sort: undefined,
    on: undefined,
  })
})

test('nested calls and brackets take time in proportion to their length', () => {
  const depth = 20_000
  const text = `{{ ${'f([{1: '.repeat(depth)} ${'}])'.repeat(depth)} }} {{ ${'['.repeat(depth)} }} {{ ${'ref('.repeat(depth)}`
  expect(readTemplate(text).calls).toEqual(['f'])
})

test.each(['{{ ref(', "{% macro x() %}{{ ref('a'", '{# never closed', '{{ "', '{%'])('%s ends', (text) => {
  expect(readTemplate(text)).toBeDefined()
  expect(readNamedBlocks(text)).toEqual([])
})
