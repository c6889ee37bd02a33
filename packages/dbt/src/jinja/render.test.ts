import { expect, test } from 'vitest'
import type { RenderContext } from './jinja-value.ts'
import { renderText } from './render.ts'

const CONTEXT: RenderContext = {
  environment: { HOST: 'db.example.com', PORT: '5433', FLAG: 'True', EMPTY: '' },
  vars: { schema_suffix: '_ci', sizes: ['a', 'b'] },
  target: { name: 'ci', schema: 'dbt_ci', type: 'postgres' },
}

test.each([
  ['plain {text}', 'plain {text}'],
  ["{{ env_var('HOST') }}", 'db.example.com'],
  [`{{ env_var("HOST") }}:{{ env_var('PORT') }}`, 'db.example.com:5433'],
  ["{{ env_var('PORT') | int }}", 5433],
  ["{{ env_var('PORT', '1') | as_number }}", 5433],
  ["{{ env_var('FLAG') | as_bool }}", true],
  ["{{ env_var('PORT') | as_native }}", 5433],
  ["{{ env_var('NONE', 'x') | upper }}", 'X'],
  ["{{ env_var('EMPTY', 'x') }}", ''],
  ["{{ 'raw_' ~ env_var('PORT') ~ '' }}", 'raw_5433'],
  ["{{ 'prod' if target.name == 'prod' else 'dev' }}", 'dev'],
  ["{{ env_var('NOT_SET') if target.name == 'prod' else 'dev' }}", 'dev'],
  ["{% if target.name in ['ci', 'dev'] %}raw_test{% else %}raw{% endif %}", 'raw_test'],
  ["{%- if target['name'] == 'prod' -%} a {%- elif not false -%} b {%- endif -%}", 'b'],
  ['{{ target.schema.replace(var("schema_suffix", ""), "").rstrip("_") }}_raw', 'dbt_raw'],
  ["{{ var('other', 'stripe') }}", 'stripe'],
  ["{# a word #}{{ var('schema_suffix') }}", '_ci'],
  ["{{ '  x ' | trim }}{{ 1 + 2 }}", 'x3'],
  ["{{ 'a' in var('sizes') and not ('c' in var('sizes')) }}", true],
  ["{{ 'c' not in var('sizes') or target.nothing }}", true],
])('%s is %j', (text, value) => {
  expect(renderText(text, CONTEXT)).toEqual(value)
})

test.each([
  ["{{ env_var('NOT_SET') }}", 'the environment variable NOT_SET is not set'],
  ["{{ var('nothing') }}", 'the variable nothing is not set'],
  ['{{ target.nothing }}', 'nothing is not known here'],
  ['{{ run_query("x") }}', 'run_query is not supported'],
  ["{{ 'x' | random }}", 'the filter random is not supported'],
  ["{{ ''.__class__.mro() }}", 'the method mro is not supported'],
  ['{{ target.constructor }}', 'constructor is not known here'],
  ['{% for x in y %}{% endfor %}', '{% for %} is not supported'],
  ["{{ env_var('HOST') | int }}", 'expected a number, got text that is not a number'],
  ['{{ 1 +', 'the expression is incomplete'],
])('%s is not rendered: %s', (text, reason) => {
  expect(() => renderText(text, CONTEXT)).toThrow(reason)
})

test.each(["{{ env_var('A', 'b') }}", "{{ var('A', 'b') }}", '{{ target.schema }}'])(
  '%s is not known where nothing is known',
  (text) => {
    expect(() => renderText(text, {})).toThrow(/not known here/)
  },
)
