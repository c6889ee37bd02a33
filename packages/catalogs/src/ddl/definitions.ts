import type { CopiedPart } from '@stagecraft/dialects'
import type { ColumnValue, NamePart, TableKind, TableStorage } from '@stagecraft/spec'
import type { UnreadableSql } from '../sql/cursor.ts'

/** A dotted name in its stored spelling. */
export interface QualifiedName {
  readonly database?: string | undefined
  readonly schema?: string | undefined
  readonly name: string
}

/** The parts that are given: without the others they go over those of another name. */
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
      /** The table whose columns are meant; all without. */
      readonly of: string | undefined
      readonly except: readonly string[]
    }
  | {
      readonly kind: 'expression'
      /** The name of the column; undefined where only the engine knows. */
      readonly name: string | undefined
      /** The column that it is, with what stands before its dot. */
      readonly path: readonly string[] | undefined
      /** The type that it is cast to. */
      readonly type: string | undefined
      /** The offset in the script. */
      readonly offset: number
    }

/** Something that a query reads from. */
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
  /** Columns of several sources are put together, so that `*` is not all of them. */
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
  /** As written, blanks collapsed; undefined for a column without a type. */
  readonly type: string | undefined
  /** The type as a name, when it is one that the script may define. */
  readonly typeName?: QualifiedName | undefined
  /** The labels of a type that spells them out: `enum('a', 'b')`. */
  readonly values?: readonly string[] | undefined
  readonly isRequired?: boolean | undefined
  /** Its values come from an expression, which may stand in place of a type. */
  readonly isComputed?: boolean | undefined
  /** ClickHouse: it is not in `select *`, or cannot be selected at all. */
  readonly access?: 'by name' | 'never' | undefined
  readonly comment?: string | undefined
  readonly default?: string | undefined
  /** Redshift: the key of the table that it is. */
  readonly storageKey?: 'distribution' | 'sort' | undefined
}

/** The target of a foreign key; without columns, the primary key of the table. */
export interface Reference {
  readonly table: QualifiedName
  readonly columns: readonly string[] | undefined
}

/** A constraint on columns, written after a column or by itself. */
export type Rule =
  | { readonly kind: 'primary' | 'unique'; readonly columns: readonly string[] }
  | { readonly kind: 'foreign'; readonly columns: readonly string[]; readonly references: Reference }
  | { readonly kind: 'values'; readonly column: NamePart; readonly values: readonly ColumnValue[] }
  | { readonly kind: 'json'; readonly column: NamePart }
  /** A condition that says nothing about values, with the words in it; it takes part in the naming of others. */
  | { readonly kind: 'condition'; readonly words: readonly string[] }

export type Constraint = Rule & {
  readonly name: string | undefined
  /** It came from CREATE UNIQUE INDEX. */
  readonly isIndex?: boolean
  /** It stood behind its column, not by itself. */
  readonly isInline?: boolean
}

/** The constraints that may not share a name: a key and a reference may. */
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

/** A table whose columns another takes over, and the parts that come with them. */
export interface Copy {
  readonly of: QualifiedName
  readonly parts: readonly CopiedPart[]
}

/** A type that a script defines: an enum, or a domain over another type. */
export interface TypeDefinition {
  readonly name: QualifiedName
  readonly values: readonly ColumnValue[] | undefined
  /** The type below a domain. */
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
      /** Names of the columns where only those are given. */
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
  /** Several at once. */
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
      /** The column that it moves behind, empty for the first place; it stays where it is without. */
      readonly after?: string | undefined
      /** MariaDB: what was checked behind the column goes with its old definition. */
      readonly dropsChecks?: boolean
    }
  | { readonly kind: 'drop column'; readonly column: string }
  /** Without a name the primary key; with a group only what is in it. */
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
