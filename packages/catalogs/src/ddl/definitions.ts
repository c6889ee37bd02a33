import type { ColumnValue, NamePart, TableKind } from '@stagecraft/spec'

/** A dotted name in its stored spelling. */
export interface QualifiedName {
  readonly database?: string | undefined
  readonly schema?: string | undefined
  readonly name: string
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
  readonly comment?: string | undefined
  readonly default?: string | undefined
}

/** What a foreign key points to; without columns it is the primary key of the table. */
export interface Reference {
  readonly table: QualifiedName
  readonly columns: readonly string[] | undefined
}

/** What a constraint says of columns, whether it stood behind one or by itself. */
export type Rule =
  | { readonly kind: 'primary' | 'unique'; readonly columns: readonly string[] }
  | { readonly kind: 'foreign'; readonly columns: readonly string[]; readonly references: Reference }
  | { readonly kind: 'values'; readonly column: NamePart; readonly values: readonly ColumnValue[] }
  | { readonly kind: 'json'; readonly column: NamePart }

export type Constraint = Rule & { readonly name: string | undefined }

export interface TableDefinition {
  readonly name: QualifiedName
  readonly kind: TableKind
  readonly columns: readonly ColumnDefinition[]
  readonly constraints: readonly Constraint[]
  readonly comment: string | undefined
}

/** A type that a script defines: an enum, or a domain over another type. */
export interface TypeDefinition {
  readonly name: QualifiedName
  readonly values: readonly ColumnValue[] | undefined
  /** The type below a domain. */
  readonly type?: string | undefined
  readonly isRequired?: boolean | undefined
}

/** What one statement does to the tables that are known so far. */
export type Change =
  | {
      readonly kind: 'create table'
      readonly table: TableDefinition
      /** What to do when there is one of that name. */
      readonly existing: 'refuse' | 'keep' | 'replace'
      /** Tables whose columns come before its own. */
      readonly copies: readonly QualifiedName[]
    }
  | { readonly kind: 'alter table'; readonly name: QualifiedName; readonly actions: readonly Action[] }
  | { readonly kind: 'drop table'; readonly names: readonly QualifiedName[] }
  | { readonly kind: 'create type'; readonly type: TypeDefinition }
  /** Where names without a schema are from now on. */
  | { readonly kind: 'use'; readonly database?: string | undefined; readonly schema?: string | undefined }

/** One thing that is done to one table. */
export type Action =
  | { readonly kind: 'add column'; readonly column: ColumnDefinition; readonly after: string | undefined }
  | { readonly kind: 'add constraint'; readonly constraint: Constraint }
  | { readonly kind: 'set comment'; readonly comment: string | undefined }
  | {
      readonly kind: 'set column'
      readonly column: string
      readonly facts: Partial<ColumnDefinition>
      /** The column that it moves behind, empty for the first place; it stays where it is without. */
      readonly after?: string | undefined
    }
  | { readonly kind: 'drop column'; readonly column: string }
  /** Without a name the primary key. */
  | { readonly kind: 'drop constraint'; readonly name: string | undefined }
  | { readonly kind: 'rename column'; readonly column: string; readonly to: string }
  | { readonly kind: 'rename table'; readonly to: QualifiedName }
  | { readonly kind: 'attach partition'; readonly partition: QualifiedName }
