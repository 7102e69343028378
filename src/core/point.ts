/** An extension point of an area, at which areas that use it take part. */
export interface Point<Part> {
  readonly name: string
  /** Carries the type of a part; never present at run time. */
  readonly part?: Part
}

/**
 * Declares an extension point: `export const rendered = point<Renderer>('rendered again')`, listed in
 * `points` of its area.
 */
export const point = <Part>(name: string): Point<Part> => ({ name })

/** The part that an area adds at a point. */
export interface Contribution {
  readonly to: Point<unknown>
  readonly part: unknown
}

/** Adds a part at a point; returned by `contributes` of an area. */
export const contribution = <Part>(to: Point<Part>, part: Part): Contribution => ({ to, part })

/** Returns the parts of a point, in the order of the areas. */
export type PartsOf = <Part>(of: Point<Part>) => readonly Part[]
