import Type, { type Static } from 'typebox'
import { OneOf, Optional, Text } from '../../../core/schemas.ts'
import { InstanceName } from '../catalog/model.ts'
import { ImageName } from '../model.ts'
import { upgraded } from '../replace/model.ts'

export const StackPart = Type.Object({
  key: Text(40, { description: 'Key in the catalog' }),
  id: Text(64, { description: 'Full id of its container' }),
  name: Text(255, { description: 'Name of its container' }),
  image: Text(255, { description: 'Image with its tag' }),
  state: Text(20, { description: 'State of its container: running, exited, created or paused' }),
  status: Text(200, { description: 'The same as the engine describes it, with the health' }),
  ports: Text(2000, { description: 'Published ports, as `docker ps` writes them' }),
})

export const Stack = Type.Object({
  instance: Text(63, { description: 'Its name' }),
  stack_id: Text(40, { description: 'Identifier in the catalog' }),
  name: Text(60, { description: 'Name in the catalog' }),
  icon: Text(30, { description: 'Name of its icon' }),
  state: OneOf(['running', 'partial', 'stopped'], { description: 'State of its containers together' }),
  services: Type.Array(StackPart, { maxItems: 100, description: 'In the order of launch' }),
})
export type Stack = Static<typeof Stack>

export const Stacks = Type.Array(Stack, { maxItems: 1000, description: 'Sorted by name' })

export const stackActions = ['start', 'stop', 'restart', 'remove'] as const
export type StackAction = (typeof stackActions)[number]

export const StackPath = Type.Object({
  instance: InstanceName,
  action: OneOf(stackActions, { description: 'What to do with it' }),
})

export const StackActionBody = Type.Object({
  volumes: Type.Boolean({
    default: false,
    description: 'With remove: removes its volumes too, with their content',
  }),
})

export const StackActed = Type.Object({
  instance: Text(63, { description: 'Name of the stack' }),
  action: OneOf(stackActions, { description: 'What was done' }),
  containers: Type.Array(Text(255, { description: 'Name of a container' }), {
    maxItems: 100,
    description: 'The containers of the stack',
  }),
})

export const StackInstance = Type.Object({ instance: InstanceName })

export const StackUpgrade = Type.Object({
  services: Optional(
    Type.Array(Type.Object({ key: Text(40, { description: 'Key of the service' }), image: ImageName }), {
      minItems: 1,
      maxItems: 10,
      description:
        'The services to upgrade, with their images; absent: those of which the catalog has another',
      expects: 'a list of 1 to 10 services',
    }),
  ),
})
export type StackUpgrade = Static<typeof StackUpgrade>

export const UpgradedStack = Type.Object({
  instance: Text(63, { description: 'Name of the stack' }),
  services: Type.Array(
    Type.Object({
      key: Text(40, { description: 'Key in the catalog' }),
      name: Text(255, { description: 'Name of its container' }),
      id: Text(64, { description: 'Full id of its new container' }),
      ...upgraded,
    }),
    { maxItems: 100, description: 'The services that were upgraded, in the order of launch' },
  ),
})
