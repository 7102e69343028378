import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Area, area } from '../../src/core/area.ts'
import { superuser } from '../../src/core/guard.ts'
import { collectParts } from '../../src/core/parts.ts'
import { contribution, point } from '../../src/core/point.ts'

interface Sample {
  readonly name: string
}
type SampleArea = Area<Sample, object>
const tiles = point<() => string>('tiles')

const sample = (name: string, rest: Partial<SampleArea> = {}): SampleArea =>
  area({
    name,
    title: name,
    base: `/${name}`,
    guard: superuser,
    errors: 'coded',
    endpoints: {},
    open: () => ({ name }),
    ...rest,
  })

const collect = (...areas: readonly SampleArea[]) =>
  collectParts(areas.map((each) => ({ area: each, context: each.open({}) })))

const dashboard = sample('dashboard', { points: [tiles] })
const contributes = ({ name }: Sample) => [contribution(tiles, () => `a tile of ${name}`)]
const mail = sample('mail', { uses: [dashboard], contributes })
const alerts = sample('alerts', { uses: [mail], contributes })

describe('an extension point', () => {
  it('has the parts of newer areas in their order, each bound to its own area', () => {
    const partsOf = collect(dashboard, mail, alerts)
    assert.deepEqual(
      partsOf(tiles).map((tile) => tile()),
      ['a tile of mail', 'a tile of alerts'],
    )
    assert.deepEqual(collect(dashboard)(tiles), [])
  })

  it('is refused to an area that contributes where no area declares the point', () => {
    const stray = sample('stray', { contributes: () => [contribution(point('other'), 1)] })
    assert.throws(
      () => collect(dashboard, stray),
      /stray contributes to the point other, which no area declares/,
    )
  })

  it('is refused to an area that does not use the one that declares it', () => {
    assert.throws(() => collect(dashboard, sample('stray', { contributes })), /tiles without using dashboard/)
  })
})

describe('the order of the areas', () => {
  it('is refused where an area is listed before one that it uses', () => {
    assert.throws(() => collect(mail, dashboard), /mail is listed before dashboard, which it uses/)
  })

  it('is refused where areas use each other in a circle', () => {
    const uses: SampleArea[] = []
    const one = sample('one', { uses })
    const two = sample('two', { uses: [one] })
    uses.push(two)
    assert.throws(() => collect(one, two), /the area one uses itself in a circle/)
  })
})
