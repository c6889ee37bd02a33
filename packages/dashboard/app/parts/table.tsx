import type { ComponentChildren } from 'preact'
import { words } from '../messages.ts'
import { href, usePlace } from '../router.ts'
import { type Loaded, useResource } from '../service/resource.ts'
import { Capped } from './capped.tsx'
import { Show } from './states.tsx'

/** A column of a table. */
export interface Column<Item> {
  readonly title: string
  readonly cell: (item: Item) => ComponentChildren
  /** `end` for numbers, `break` for long texts, `narrow` to leave it out on a phone. */
  readonly look?: string
}

interface TableProps<Item> {
  readonly label: string
  readonly columns: readonly Column<Item>[]
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
}

/** A table whose first column identifies the row. */
export function Table<Item>({ columns, items, keyOf, label }: TableProps<Item>) {
  return (
    <Capped items={items}>
      {(shown) => <Rows columns={columns} items={shown} keyOf={keyOf} label={label} />}
    </Capped>
  )
}

function Rows<Item>({ columns, items, keyOf, label }: TableProps<Item>) {
  return (
    <div class="table" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ look, title }) => (
              <th key={title} scope="col" class={look ?? ''}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)}>
              {columns.map(({ cell, look, title }) => (
                <td key={title} class={look ?? ''}>
                  {cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export interface ListPage<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | undefined
}

/** The number of rows of a page. The service allows at most 200. */
export const PAGE = 100

/** Loads the page of a list that the address names. */
export function useList<Item>(
  key: string,
  load: (cursor: string | undefined) => Promise<ListPage<Item>>,
  kinds: readonly string[],
): Loaded<ListPage<Item>> {
  const cursor = usePlace().query.get('cursor') ?? undefined
  return useResource(`${key} ${cursor ?? ''}`, () => load(cursor), kinds)
}

/** Shows a list in pages. The page is in the address, so Back returns to the previous one. */
export function List<Item>({
  columns,
  empty,
  keyOf,
  label,
  loaded,
}: {
  readonly label: string
  readonly loaded: Loaded<ListPage<Item>>
  readonly columns: readonly Column<Item>[]
  readonly keyOf: (item: Item) => string
  readonly empty: ComponentChildren
}) {
  const { path, query } = usePlace()
  const fields = Object.fromEntries(query)
  return (
    <Show loaded={loaded}>
      {({ items, nextCursor }) => (
        <>
          {items.length === 0 ? empty : <Table {...{ columns, items, keyOf, label }} />}
          {(nextCursor !== undefined || query.has('cursor')) && (
            <div class="pages">
              {query.has('cursor') && <a href={href(path, { ...fields, cursor: '' })}>{words.first}</a>}
              {nextCursor !== undefined && (
                <a href={href(path, { ...fields, cursor: nextCursor })}>{words.next} →</a>
              )}
            </div>
          )}
        </>
      )}
    </Show>
  )
}
