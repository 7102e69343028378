import Type, { type Static } from 'typebox'
import { OneOf, Prose, Text, Time } from '../../core/schemas.ts'

const Link = Text(1000, { description: 'Page of the panel' })

export const TileState = OneOf(['ok', 'attention', 'failing', 'none'], {
  description: 'attention: somebody should look at it; none: there is nothing to judge',
})

export const TileItem = Type.Object({
  title: Text(300),
  detail: Text(500, { description: 'One more line; may be empty' }),
  link: Type.Union([Link, Type.Null()]),
  state: Type.Union([Text(30), Type.Null()], { description: 'One word, such as failed' }),
  time: Type.Union([Time, Type.Null()]),
})
export type TileItem = Static<typeof TileItem>

export const Tile = Type.Object({
  name: Text(50),
  title: Text(100),
  link: Link,
  state: TileState,
  summary: Text(300),
  items: Type.Array(TileItem, { maxItems: 10 }),
  error: Type.Union([Prose(2000), Type.Null()], { description: 'Why it could not be read' }),
})
export type Tile = Static<typeof Tile>

export const FirstStep = Type.Object({
  name: Text(50),
  title: Text(100),
  detail: Text(300, { description: 'What it is good for' }),
  link: Link,
})
export type FirstStep = Static<typeof FirstStep>

export const Dashboard = Type.Object({
  tiles: Type.Array(Tile, { maxItems: 100 }),
  first_steps: Type.Array(FirstStep, { maxItems: 50, description: 'Those that are not done' }),
})
