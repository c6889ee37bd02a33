import { Evaluator } from './evaluator.ts'
import { LONGEST } from './methods.ts'
import { partOf } from './operators.ts'
import type { Expression, MacroNode, Node } from './syntax.ts'
import {
  Callable,
  Dict,
  type Given,
  isTrue,
  itemsOf,
  print,
  Undefined,
  Unknown,
  unknownIn,
  Unworkable,
  type Value,
} from './values.ts'

/** A piece of a template's output. */
export interface Piece {
  readonly text: string
  /** Its origin in the template. */
  readonly start: number
  readonly end: number
  /** True if it is copied from the template. */
  readonly isLiteral: boolean
}

/** The limits of evaluating one template. They count steps rather than time, so the result is always the same. */
export interface RoomLimits {
  readonly steps: number
  readonly calls: number
}

const LIMITS: RoomLimits = { steps: 200_000, calls: 60 }

export interface RoomOptions {
  /** The global names. */
  readonly globals: ReadonlyMap<string, Value>
  /** Returns a macro by its name without a package; undefined if there is none. */
  readonly macro: (name: string) => MacroNode | undefined
  readonly limits?: RoomLimits
}

/** Returns from a macro with its value. */
class Returned extends Error {
  readonly value: Value

  constructor(value: Value) {
    super('a macro returned')
    this.value = value
  }
}

type Scope = Map<string, Value>

/**
 * The sandbox in which templates are evaluated. A template has no access to files, the environment, the clock or code
 * of the host, and it ends after a number of steps.
 */
export class Room {
  readonly #evaluator: Evaluator
  readonly #options: RoomOptions
  readonly #limits: RoomLimits
  readonly #guesses = new Set<string>()
  readonly #unknowns = new Set<string>()
  #scopes: readonly Scope[] = [new Map()]
  #pieces: Piece[] = []
  #length = 0
  #steps = 0
  #calls = 0

  constructor(options: RoomOptions) {
    this.#evaluator = new Evaluator({ step: () => this.#step(), lookUp: (name) => this.#lookUp(name) })
    this.#options = options
    this.#limits = options.limits ?? LIMITS
  }

  /** Its assumptions about values that are only known when dbt runs. */
  get guesses(): readonly string[] {
    return [...this.#guesses]
  }

  /** Unknown values that it printed as calls. */
  get unknowns(): readonly string[] {
    return [...this.#unknowns]
  }

  /** @throws {Unworkable} For a template that cannot be evaluated. */
  print(nodes: readonly Node[]): readonly Piece[] {
    this.#runAll(nodes)
    return this.#pieces
  }

  /** Returns the text that nodes print, without printing it. */
  textOf(nodes: readonly Node[]): string {
    return this.#capture(() => this.#runAll(nodes))
  }

  /** Returns from a macro with its value. */
  return(value: Value): never {
    throw new Returned(value)
  }

  #lookUp(name: string): Value {
    const { globals, macro } = this.#options
    const found = lookUp(this.#scopes, name) ?? globals.get(name)
    if (found !== undefined) return found
    const own = macro(name)
    return own ? new Callable((given) => this.callMacro(own, given)) : new Undefined(name)
  }

  #step(): void {
    this.#steps += 1
    if (this.#steps > this.#limits.steps)
      throw new Unworkable(`its Jinja needs more than ${this.#limits.steps} steps`)
  }

  #emit(piece: Piece): void {
    this.#length += piece.text.length
    if (this.#length > LONGEST) throw new Unworkable('its Jinja prints too much text')
    this.#pieces.push(piece)
  }

  #runAll(nodes: readonly Node[]): void {
    for (const node of nodes) this.#run(node)
  }

  #run(node: Node): void {
    this.#step()
    if (node.kind === 'text')
      this.#emit({ text: node.text, start: node.start, end: node.start + node.text.length, isLiteral: true })
    else if (node.kind === 'print') this.#runPrint(node)
    else if (node.kind === 'if') this.#runIf(node.branches)
    else if (node.kind === 'for') this.#runFor(node)
    else if (node.kind === 'body') this.#runAll(node.body)
    else this.#runQuietly(node)
  }

  #runPrint({ end, expression, start }: Extract<Node, { kind: 'print' }>): void {
    const value = this.#evaluator.evaluate(expression)
    const unknown = unknownIn(value)
    if (unknown) this.#unknowns.add(unknown.reason)
    this.#emit({ text: print(value), start, end, isLiteral: false })
  }

  /** Statements that print nothing, or text computed from their body. */
  #runQuietly(node: Exclude<Node, { kind: 'text' | 'print' | 'if' | 'for' | 'body' }>): void {
    if (node.kind === 'set') this.#assign(node.targets, this.#evaluator.evaluate(node.value))
    else if (node.kind === 'capture')
      this.#set(
        node.name,
        this.#capture(() => this.#runAll(node.body)),
      )
    else if (node.kind === 'do') this.#evaluator.evaluate(node.expression)
    else if (node.kind === 'macro') this.#set(node.name, this.#toCallable(node))
    else if (node.kind === 'call') this.#runCall(node)
    else if (node.expression.kind === 'filter') {
      const input = this.#capture(() => this.#runAll(node.body))
      const text = print(this.#evaluator.filter(node.expression, input))
      this.#emit({ text, start: 0, end: 0, isLiteral: false })
    }
  }

  #runIf(branches: Extract<Node, { kind: 'if' }>['branches']): void {
    const areFilters = branches.every(({ body }) => isFilter(body))
    for (const { body, condition } of branches) {
      const value = condition === undefined ? true : this.#evaluator.evaluate(condition)
      if (!areFilters) this.#guessIfUnknown(value)
      if (!isTrue(value)) continue
      this.#runAll(body)
      return
    }
  }

  #guessIfUnknown(value: Value): void {
    if (value instanceof Unknown) this.#guesses.add(`${value.reason} is only known when dbt runs`)
  }

  #runFor({ body, items, names, otherwise }: Extract<Node, { kind: 'for' }>): void {
    const value = this.#evaluator.evaluate(items)
    this.#guessIfUnknown(value)
    const all = itemsOf(value)
    if (!all && !(value instanceof Unknown))
      throw new Unworkable('a loop runs over a value that is not a list')
    if (!all || all.length === 0) {
      this.#runAll(otherwise)
      return
    }
    const list = [...all]
    for (const [index, item] of list.entries()) this.#runItem({ body, names }, item, loopOf(list, index))
  }

  #runItem(
    { body, names }: { readonly body: readonly Node[]; readonly names: readonly string[] },
    item: Value,
    loop: Value,
  ): void {
    const outer = this.#scopes
    this.#scopes = [new Map([['loop', loop]]), ...outer]
    const [only] = names
    if (names.length === 1 && only !== undefined) this.#set(only, item)
    else for (const [index, name] of names.entries()) this.#set(name, partOf(item, index))
    this.#runAll(body)
    this.#scopes = outer
  }

  #runCall({ body, end, expression, parameters, start }: Extract<Node, { kind: 'call' }>): void {
    const caller = this.#toCallable({ kind: 'macro', name: 'caller', parameters, body })
    const outer = this.#scopes
    this.#scopes = [new Map<string, Value>([['caller', caller]]), ...outer]
    const value = this.#evaluator.evaluate(expression)
    this.#scopes = outer
    this.#emit({ text: print(value), start, end, isLiteral: false })
  }

  /** Captures the text that is printed meanwhile. */
  #capture(run: () => void): string {
    const outer = this.#pieces
    this.#pieces = []
    try {
      run()
      return this.#pieces.map(({ text }) => text).join('')
    } finally {
      this.#pieces = outer
    }
  }

  #set(name: string, value: Value): void {
    this.#scopes[0]?.set(name, value)
  }

  #assign(targets: readonly Expression[], value: Value): void {
    for (const [index, target] of targets.entries()) {
      const part = targets.length === 1 ? value : partOf(value, index)
      if (target.kind === 'name') this.#set(target.name, part)
      else if (target.kind === 'member') {
        const owner = this.#evaluator.evaluate(target.object)
        if (owner instanceof Dict) owner.entries.set(this.#evaluator.evaluate(target.key), part)
      }
    }
  }

  #toCallable(macro: MacroNode): Callable {
    const scopes = this.#scopes
    return new Callable((given) => this.#callMacro(macro, given, scopes))
  }

  /** Calls a macro of the project, which sees global names and its own arguments. */
  callMacro(macro: MacroNode, given: Given): Value {
    return this.#callMacro(macro, given, [new Map()])
  }

  #callMacro({ body, parameters }: MacroNode, given: Given, scopes: readonly Scope[]): Value {
    this.#calls += 1
    if (this.#calls > this.#limits.calls) throw new Unworkable('its macros call each other too deep')
    const [outer, inner]: [readonly Scope[], Scope] = [this.#scopes, new Map()]
    const caller = lookUp(outer, 'caller')
    if (caller) inner.set('caller', caller)
    inner.set('varargs', given.positional.slice(parameters.length))
    inner.set(
      'kwargs',
      new Dict([...given.named].filter(([name]) => !parameters.some((one) => one.name === name))),
    )
    this.#scopes = [inner, ...scopes]
    try {
      for (const [index, { name, value }] of parameters.entries()) {
        const own = given.named.get(name) ?? given.positional[index]
        inner.set(name, own ?? (value ? this.#evaluator.evaluate(value) : new Undefined(name)))
      }
      return this.#capture(() => this.#runAll(body))
    } catch (error) {
      if (error instanceof Returned) return error.value
      throw error
    } finally {
      this.#scopes = outer
      this.#calls -= 1
    }
  }
}

const FILTER = /^(?:where|and|or|limit|qualify|having|order\s+by)\b/i

/** Returns true if a piece of a template can only filter rows, so that it does not affect columns. */
function isFilter(nodes: readonly Node[]): boolean {
  const [first] = nodes
  if (first === undefined) return true
  if (first.kind !== 'text') return false
  const text = first.text.replace(/^(?:\s+|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*/, '')
  return text === '' ? isFilter(nodes.slice(1)) : FILTER.test(text)
}

function lookUp(scopes: readonly Scope[], name: string): Value | undefined {
  return scopes.find((scope) => scope.has(name))?.get(name)
}

function loopOf(items: readonly Value[], index: number): Dict {
  return new Dict([
    ['index', index + 1],
    ['index0', index],
    ['revindex', items.length - index],
    ['revindex0', items.length - index - 1],
    ['first', index === 0],
    ['last', index === items.length - 1],
    ['length', items.length],
    ['previtem', items[index - 1] ?? new Undefined('previtem')],
    ['nextitem', items[index + 1] ?? new Undefined('nextitem')],
  ])
}
