import { EventEmitter } from 'node:events'

/** Doors to a machine whose calls are counted, and after one of which nothing runs any more, as in a process that was killed there. */
export interface Stoppable {
  /** The same object; its calls count, and those of plain objects that they return. */
  readonly door: <Thing extends object>(thing: Thing) => Thing
  readonly calls: () => number
  /** Settles when the process has ended and none of its calls is pending. */
  readonly stopped: Promise<void>
}

/** Makes the doors of a process that ends right after its asynchronous call number `stopAt`, counted from 1. */
export function stoppable(stopAt = Infinity): Stoppable {
  const { promise: stopped, resolve } = Promise.withResolvers<void>()
  let calls = 0
  let underWay = 0
  let isStopped = false
  const settle = () => {
    underWay--
    if (isStopped && underWay === 0) resolve()
  }
  const follow = async (result: PromiseLike<unknown>): Promise<unknown> => {
    const mine = ++calls
    underWay++
    try {
      return door(await result)
    } finally {
      isStopped ||= mine === stopAt
      settle()
      if (isStopped) await never
    }
  }
  const call = (act: () => unknown): unknown => {
    if (isStopped) return never
    const result = act()
    return isPromise(result) ? follow(result) : door(result)
  }
  const wrap = (thing: object): object =>
    new Proxy(thing, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target)
        return typeof value === 'function'
          ? (...args: unknown[]) => call(() => Reflect.apply(value, target, args))
          : door(value)
      },
      apply: (target, self, args) => call(() => Reflect.apply(target as () => unknown, self, args)),
    })
  const door = (thing: unknown): unknown => (hasCalls(thing) ? wrap(thing) : thing)
  return { door: <Thing extends object>(thing: Thing) => wrap(thing) as Thing, calls: () => calls, stopped }
}

const never = new Promise<never>(() => {}) // neither a catch nor a finally runs after it

const isPromise = (value: unknown): value is PromiseLike<unknown> => value instanceof Promise

const values = [Map, Set, Date, Error, EventEmitter, EventTarget]

/** Functions, and objects with methods; values, among them buffers, streams and signals, are passed on as they are. */
function hasCalls(thing: unknown): thing is object {
  if (typeof thing === 'function') return true
  if (typeof thing !== 'object' || thing === null || Array.isArray(thing) || ArrayBuffer.isView(thing))
    return false
  if (values.some((kind) => thing instanceof kind)) return false
  const isPlain = Object.getPrototypeOf(thing) === Object.prototype
  return !isPlain || Object.values(thing).some((each) => typeof each === 'function')
}
