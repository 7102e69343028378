import Type, { type Static } from 'typebox'
import { OneOf, Optional, Revealed, Text } from '../../../core/schemas.ts'

export const Category = OneOf(['Websites', 'Databases', 'Automation', 'Monitoring', 'Tools'], {
  description: 'Group in which it is shown',
})
export type Category = Static<typeof Category>

const nameOptions = {
  maxLength: 63,
  pattern: '^[a-zA-Z0-9][a-zA-Z0-9_.-]*$',
  expects: 'letters, digits, dots, hyphens and underscores, beginning with a letter or digit',
}

/** The name of an app's container, and of a stack. */
export const InstanceName = Type.String({ ...nameOptions, description: 'Name of the container or stack' })

const EntryId = Type.String({
  maxLength: 40,
  pattern: '^[a-z0-9][a-z0-9-]*$',
  description: 'Identifier in the catalog',
  expects: 'an identifier of the catalog, such as nginx',
})

/** The same for a request: an unknown one is 404. */
const WantedId = Text(200, { description: 'Identifier in the catalog', minLength: 1 })

const Ports = Type.Array(Text(80, { description: '[ip:]host:container, with /tcp or /udp' }), {
  maxItems: 20,
  description: 'Ports that are published on the host',
})

const running = {
  image: Text(255, { description: 'Image with its pinned tag' }),
  ports: Ports,
  env: Type.Array(Text(1000, { description: 'KEY=value' }), {
    maxItems: 40,
    description: 'Environment; generated secrets are masked',
  }),
  volumes: Type.Array(Text(300, { description: 'Source and path in the container' }), {
    maxItems: 20,
    description: 'Volumes and folders of the host; {{name}} becomes the name of the instance',
  }),
  command: Optional(
    Type.Array(Text(500, { description: 'An argument' }), {
      maxItems: 20,
      description: 'Arguments that replace the command of the image',
    }),
  ),
  health_check: Text(500, { description: 'Shell command in the container that succeeds once it answers' }),
  memory_mb: Type.Integer({ minimum: 16, maximum: 65_536, description: 'Limit of its memory, in MiB' }),
}

const shown = {
  id: EntryId,
  name: Text(60, { description: 'Name of the program' }),
  icon: Text(30, { description: 'Name of its icon' }),
  category: Category,
  description: Text(200, { description: 'What it is for' }),
  note: Optional(Text(300, { description: 'What to do after the launch' })),
}

export const CatalogApp = Type.Object({ ...shown, ...running })
export type CatalogApp = Static<typeof CatalogApp>

export const CatalogPart = Type.Object({
  key: EntryId,
  name: Text(60, { description: 'Name of the program' }),
  description: Text(200, { description: 'Its part in the stack' }),
  network_alias: Text(60, { description: 'Host name by which the other services reach it' }),
  ...running,
  standalone: Type.Boolean({ description: 'True if people or programs outside the stack use it' }),
  default_off: Type.Boolean({ description: 'True if it is launched only where `services` names it' }),
})
export type CatalogPart = Static<typeof CatalogPart>

export const CatalogStack = Type.Object({
  ...shown,
  services: Type.Array(CatalogPart, { maxItems: 10, description: 'Its services, in the order of launch' }),
})
export type CatalogStack = Static<typeof CatalogStack>

export const Catalog = Type.Object({
  apps: Type.Array(CatalogApp, { maxItems: 500, description: 'Apps of one container' }),
  stacks: Type.Array(CatalogStack, { maxItems: 100, description: 'Apps of several containers' }),
  categories: Type.Array(Category, { maxItems: 10, description: 'In the order in which they are shown' }),
})
export type Catalog = Static<typeof Catalog>

export const AppLaunch = Type.Object({
  app_id: WantedId,
  name: Optional(InstanceName),
  ports: Optional(Ports),
})

export const StackLaunch = Type.Object({
  stack_id: WantedId,
  name: Optional(InstanceName),
  services: Optional(
    Type.Array(
      Type.Object({
        key: Text(40, { description: 'Key of the service' }),
        ports: Optional(Ports),
      }),
      { maxItems: 10, description: 'The services to launch; absent: all that are not off by default' },
    ),
  ),
})
export type StackLaunch = Static<typeof StackLaunch>

const credentials = Type.Array(
  Type.Object({
    service: Text(60, { description: 'Name of the container' }),
    variable: Text(200, { description: 'Variable of its environment' }),
    value: Revealed({ description: 'Generated value, shown once' }),
  }),
  { maxItems: 100, description: 'Generated secrets, shown this once; empty if there are none' },
)

const OpenedPorts = Type.Array(Text(20, { description: 'port/protocol' }), {
  maxItems: 200,
  description: 'Ports that the firewall lets in',
})

export const LaunchedApp = Type.Object({
  id: Text(64, { description: 'Full id of the container' }),
  name: Text(63, { description: 'Its name' }),
  opened_ports: OpenedPorts,
  credentials,
  ports: Ports,
})

export const LaunchedStack = Type.Object({
  instance: Text(63, { description: 'Name of the stack' }),
  services: Type.Array(
    Type.Object({
      key: Text(40, { description: 'Key in the catalog' }),
      id: Text(64, { description: 'Full id of its container' }),
      name: Text(130, { description: 'Name of its container' }),
      ports: Ports,
    }),
    { maxItems: 10, description: 'In the order of launch' },
  ),
  opened_ports: OpenedPorts,
  credentials,
})
