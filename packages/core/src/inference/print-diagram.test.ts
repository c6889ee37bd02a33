import { DIALECTS } from '@stagecraft/dialects'
import type { CatalogTable } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { infer } from './infer.ts'
import { printDbml, printMermaidDiagram } from './print-diagram.ts'

const tables: readonly CatalogTable[] = [
  {
    schema: 'shop',
    name: 'customers',
    columns: [
      { name: 'id', type: 'integer' },
      { name: 'PK', type: 'double precision' },
    ],
  },
  {
    schema: 'shop',
    name: 'orders',
    columns: [
      { name: 'id', type: 'integer' },
      { name: 'customer_id', type: 'integer' },
      { name: '1 "odd"\n{{ name }}', type: 'text' },
    ],
  },
  { schema: 'shop', name: 'a <b>', columns: [{ name: 'note', type: 'text' }] },
  {
    schema: 'shop',
    name: 'order_lines',
    columns: [
      { name: 'order_id', type: 'integer' },
      { name: 'line_number', type: 'integer' },
    ],
  },
]
const inference = await infer(
  tables.map((table) => ({ table })),
  { dialect: DIALECTS.postgres },
)

test('prints an entity diagram with names that Mermaid accepts', () => {
  expect(printMermaidDiagram(tables, inference)).toBe(`erDiagram
  t0["shop.customers"] {
    integer id PK
    double_precision c_PK
  }
  t1["shop.orders"] {
    integer id PK
    integer customer_id FK
    text c_1_odd_name_
  }
  t2["shop.a #60;b#62;"] {
    text note
  }
  t3["shop.order_lines"] {
    integer order_id PK, FK
    integer line_number PK
  }
  t0 ||--o{ t1 : "customer_id"
  t1 ||--o{ t3 : "order_id"
`)
})

test('prints DBML with every name in quotes', () => {
  expect(printDbml(tables, inference)).toBe(`Table "shop"."customers" {
  "id" integer [pk]
  "PK" "double precision"
}

Table "shop"."orders" {
  "id" integer [pk]
  "customer_id" integer
  "1 \\"odd\\" {{ name }}" text
}

Table "shop"."a <b>" {
  "note" text
}

Table "shop"."order_lines" {
  "order_id" integer
  "line_number" integer

  indexes {
    ("order_id", "line_number") [pk]
  }
}

Ref: "shop"."orders"."customer_id" > "shop"."customers"."id"
Ref: "shop"."order_lines"."order_id" > "shop"."orders"."id"
`)
})
