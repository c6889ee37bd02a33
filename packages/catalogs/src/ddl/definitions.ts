import type { CopiedPart } from '@stagecraft/dialects'
import type { ColumnValue, NamePart, TableKind, TableStorage } from '@stagecraft/spec'
import type { UnreadableSql } from '../sql/cursor.ts'

/** A dotted name in its stored spelling. */
export interface QualifiedName {
  readonly database?: string | undefined
  readonly schema?: string | undefined
  readonly name: string
}

/**
 * Returns the given parts of a name, without undefined members, so that they can override those of another
 * name.
 */
export function knownParts({ database, name, schema }: Partial<QualifiedName>): Partial<QualifiedName> {
  return {
    ...(database !== undefined && { database }),
    ...(schema !== undefined && { schema }),
    ...(name !== undefined && { name }),
  }
}

/** One entry of a select list. */
export type SelectItem =
  | {
      readonly kind: 'star'
      /** The table whose columns are selected; all tables if undefined. */
      readonly of: string | undefined
      readonly except: readonly string[]
      /** Expressions in place of columns: `* REPLACE (cast(a as date) AS a)`. */
      readonly replaced?: readonly SelectItem[]
      /** Old and new names: `* RENAME (a AS b)`. */
      readonly renamed?: readonly (readonly [name: string, to: string])[]
    }
  | {
      readonly kind: 'expression'
      /** The name of the column; undefined if only the engine knows it. */
      readonly name: string | undefined
      /** The parts of the dotted name, if the expression is only a column. */
      readonly path: readonly string[] | undefined
      /** The type that it is cast to. */
      readonly type: string | undefined
      /** The offset in the script. */
      readonly offset: number
    }

/** A source of a query. */
export type QuerySource = {
  /** The alias of its columns. */
  readonly alias: string | undefined
  /** New names of its columns. */
  readonly names?: readonly string[] | undefined
} & (
  | { readonly kind: 'table'; readonly table: QualifiedName }
  | { readonly kind: 'query'; readonly query: Query }
  /** A function, VALUES, PIVOT. */
  | { readonly kind: 'other' }
)

/** A query, as far as its result columns are known. */
export interface Query {
  readonly items: readonly SelectItem[]
  readonly sources: readonly QuerySource[]
  /** True if columns of several sources are merged, so `*` does not return all of them. */
  readonly mergesColumns: boolean
  /** The queries of WITH, by name. */
  readonly parts: readonly {
    readonly name: string
    readonly names?: readonly string[]
    readonly query: Query
  }[]
  /** The reason why it is not understood, if any. */
  readonly unreadable?: UnreadableSql
}

export interface ColumnDefinition {
  readonly name: string
  /** As written, with spaces collapsed; undefined for a column without a type. */
  readonly type: string | undefined
  /** The name of the type, if the script may define it. */
  readonly typeName?: QualifiedName | undefined
  /** The labels of a type that lists them: `enum('a', 'b')`. */
  readonly values?: readonly string[] | undefined
  readonly isRequired?: boolean | undefined
  /** True if its values come from an expression, which may replace the type. */
  readonly isComputed?: boolean | undefined
  /** ClickHouse: it is not in `select *`, or cannot be selected at all. */
  readonly access?: 'by name' | 'never' | undefined
  readonly comment?: string | undefined
  readonly default?: string | undefined
  /** Redshift: the kind of key that the column is. */
  readonly storageKey?: 'distribution' | 'sort' | undefined
}

/** The target of a foreign key; without columns, the primary key of the table. */
export interface Reference {
  readonly table: QualifiedName
  readonly columns: readonly string[] | undefined
}

/** A constraint on columns, written after a column or separately. */
export type Rule =
  | { readonly kind: 'primary' | 'unique'; readonly columns: readonly string[] }
  | { readonly kind: 'foreign'; readonly columns: readonly string[]; readonly references: Reference }
  | { readonly kind: 'values'; readonly column: NamePart; readonly values: readonly ColumnValue[] }
  | { readonly kind: 'json'; readonly column: NamePart }
  /** Another condition, with its words. It affects the default names of constraints. */
  | { readonly kind: 'condition'; readonly words: readonly string[] }

export type Constraint = Rule & {
  readonly name: string | undefined
  /** True if it comes from CREATE UNIQUE INDEX. */
  readonly isIndex?: boolean
  /** True if it was written after its column. */
  readonly isInline?: boolean
}

/** The groups of constraints. Names are unique within a group: a key and a reference may have the same name. */
export type ConstraintGroup = 'keys' | 'references' | 'checks'

export const GROUP_OF: Readonly<Record<Constraint['kind'], ConstraintGroup>> = {
  primary: 'keys',
  unique: 'keys',
  foreign: 'references',
  values: 'checks',
  json: 'checks',
  condition: 'checks',
}

export interface TableDefinition {
  readonly name: QualifiedName
  readonly kind: TableKind
  readonly columns: readonly ColumnDefinition[]
  readonly constraints: readonly Constraint[]
  readonly comment: string | undefined
  /** Its storage, as written. Default: not stated. */
  readonly storage?: TableStorage
  /** Names of the internal tables that hold its data. */
  readonly shadows?: readonly string[]
}

/** A table whose columns another one copies, and the other parts that it copies. */
export interface Copy {
  readonly of: QualifiedName
  readonly parts: readonly CopiedPart[]
}

/** A type that a script defines: an enum, or a domain over another type. */
export interface TypeDefinition {
  readonly name: QualifiedName
  readonly values: readonly ColumnValue[] | undefined
  /** The base type of a domain. */
  readonly type?: string | undefined
  readonly isRequired?: boolean | undefined
}

/** One action on a type. */
export type TypeAction =
  | {
      readonly kind: 'add value'
      readonly value: string
      readonly place?: { readonly side: 'before' | 'after'; readonly of: string } | undefined
    }
  | { readonly kind: 'rename value'; readonly value: string; readonly to: string }
  | { readonly kind: 'rename type'; readonly to: QualifiedName }
  | { readonly kind: 'set type'; readonly facts: Partial<TypeDefinition> }

/** The effect of one statement on the tables known so far. */
export type Change =
  | {
      readonly kind: 'create table'
      readonly table: TableDefinition
      /** The effect if the name is taken. */
      readonly existing: 'refuse' | 'keep' | 'replace'
      /** Tables whose columns come before its own. */
      readonly copies: readonly Copy[]
      /** The query that fills it, and defines its columns if it lists none. */
      readonly query?: Query | undefined
      /** Names of the columns, if only these are given. */
      readonly names?: readonly string[] | undefined
    }
  | { readonly kind: 'alter table'; readonly name: QualifiedName; readonly actions: readonly Action[] }
  | { readonly kind: 'drop table'; readonly names: readonly QualifiedName[]; readonly cascades: boolean }
  | { readonly kind: 'rename tables'; readonly pairs: readonly (readonly [QualifiedName, QualifiedName])[] }
  | { readonly kind: 'create type'; readonly type: TypeDefinition }
  | { readonly kind: 'alter type'; readonly name: QualifiedName; readonly action: TypeAction }
  | { readonly kind: 'drop type'; readonly names: readonly QualifiedName[]; readonly cascades: boolean }
  | { readonly kind: 'drop index'; readonly names: readonly QualifiedName[] }
  | { readonly kind: 'rename index'; readonly name: QualifiedName; readonly to: string }
  | {
      readonly kind: 'create schema'
      readonly schema: string
      /** The schema of unqualified names from here on. */
      readonly isUsed: boolean
      readonly database?: string | undefined
    }
  | { readonly kind: 'rename schema'; readonly schema: string; readonly to: string }
  | { readonly kind: 'drop schema'; readonly schemas: readonly string[] }
  /** The place of unqualified names from here on. */
  | { readonly kind: 'use'; readonly database?: string | undefined; readonly schema?: string | undefined }
  /** Several changes. */
  | { readonly kind: 'all'; readonly changes: readonly Change[] }

/** One action on a table. */
export type Action =
  | { readonly kind: 'add column'; readonly column: ColumnDefinition; readonly after: string | undefined }
  | { readonly kind: 'add constraint'; readonly constraint: Constraint }
  /** A unique index becomes a key. */
  | {
      readonly kind: 'use index'
      readonly index: string
      readonly as: 'primary' | 'unique'
      readonly name: string | undefined
    }
  | { readonly kind: 'set comment'; readonly comment: string | undefined }
  | {
      readonly kind: 'set column'
      readonly column: string
      readonly facts: Partial<ColumnDefinition>
      /** The column that it moves after; empty for the first position. Undefined if it does not move. */
      readonly after?: string | undefined
      /** True if the checks after the column are dropped with its old definition, as in MariaDB. */
      readonly dropsChecks?: boolean
    }
  | { readonly kind: 'drop column'; readonly column: string }
  | { readonly kind: 'replace columns'; readonly columns: readonly ColumnDefinition[] }
  /** Without a name, it drops the primary key. With a group, it drops only constraints in that group. */
  | {
      readonly kind: 'drop constraint'
      readonly name: string | undefined
      readonly group?: ConstraintGroup | undefined
    }
  | {
      readonly kind: 'rename constraint'
      readonly name: string
      readonly to: string
      readonly group?: ConstraintGroup | undefined
    }
  | { readonly kind: 'rename column'; readonly column: string; readonly to: string }
  | { readonly kind: 'rename table'; readonly to: Partial<QualifiedName> }
  | { readonly kind: 'attach partition'; readonly partition: QualifiedName }
