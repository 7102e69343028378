import {
  IconFolder,
  IconHistory,
  IconListCheck,
  IconLoadBalancer,
  IconPackage,
  IconPuzzle,
  IconServer,
  IconSquareRounded,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react'

/** The icons that areas name in their menu entries. */
export const icons: Readonly<Record<string, typeof IconWorld>> = {
  folder: IconFolder,
  history: IconHistory,
  'list-check': IconListCheck,
  'load-balancer': IconLoadBalancer,
  package: IconPackage,
  puzzle: IconPuzzle,
  server: IconServer,
  users: IconUsers,
  world: IconWorld,
}

export const plainIcon = IconSquareRounded
