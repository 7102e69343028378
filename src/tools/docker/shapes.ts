import Type, { type Static } from 'typebox'

const Labels = Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()])
const Count = Type.Integer()

/** The parts that the panel reads of the engine's replies; further fields are left as they are. */
export const EngineVersion = Type.Object({ Version: Type.String(), ApiVersion: Type.String() })

export const EngineInfo = Type.Object({
  Containers: Count,
  ContainersRunning: Count,
  Images: Count,
  Driver: Type.String(),
  DockerRootDir: Type.String(),
  MemoryLimit: Type.Boolean(),
})

export const ListedPort = Type.Object({
  IP: Type.Optional(Type.String()),
  PrivatePort: Count,
  PublicPort: Type.Optional(Count),
  Type: Type.String(),
})
export type ListedPort = Static<typeof ListedPort>

export const ListedContainer = Type.Object({
  Id: Type.String(),
  Names: Type.Union([Type.Array(Type.String()), Type.Null()]),
  Image: Type.String(),
  ImageID: Type.String(),
  State: Type.String(),
  Status: Type.String(),
  Created: Count,
  Ports: Type.Union([Type.Array(ListedPort), Type.Null()]),
  Labels,
  HostConfig: Type.Optional(Type.Object({ NetworkMode: Type.Optional(Type.String()) })),
})
export type ListedContainer = Static<typeof ListedContainer>
export const ListedContainers = Type.Array(ListedContainer)

const Binding = Type.Object({ HostIp: Type.String(), HostPort: Type.String() })

export const MountPoint = Type.Object({
  Type: Type.String(),
  Name: Type.Optional(Type.String()),
  Driver: Type.Optional(Type.String()),
  Source: Type.String(),
  Destination: Type.String(),
  RW: Type.Boolean(),
})
export type MountPoint = Static<typeof MountPoint>

/** A health check as the engine writes it, with times in nanoseconds. */
const Healthcheck = Type.Object({
  Test: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  Interval: Type.Optional(Count),
  Timeout: Type.Optional(Count),
  StartPeriod: Type.Optional(Count),
  Retries: Type.Optional(Count),
})
export type Healthcheck = Static<typeof Healthcheck>

const Endpoint = Type.Object({
  Aliases: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
})

export const Inspected = Type.Object({
  Id: Type.String(),
  Name: Type.String(),
  Image: Type.String(),
  Created: Type.String(),
  RestartCount: Count,
  State: Type.Object({
    Status: Type.String(),
    Running: Type.Boolean(),
    Paused: Type.Boolean(),
    ExitCode: Count,
    Error: Type.String(),
    StartedAt: Type.String(),
    Health: Type.Optional(
      Type.Object({
        Status: Type.String(),
        Log: Type.Optional(Type.Union([Type.Array(Type.Object({ Output: Type.String() })), Type.Null()])),
      }),
    ),
  }),
  Config: Type.Object({
    Image: Type.String(),
    Tty: Type.Boolean(),
    Env: Type.Union([Type.Array(Type.String()), Type.Null()]),
    Cmd: Type.Union([Type.Array(Type.String()), Type.Null()]),
    Labels,
    Healthcheck: Type.Optional(Type.Union([Healthcheck, Type.Null()])),
  }),
  NetworkSettings: Type.Optional(
    Type.Object({
      Networks: Type.Optional(Type.Union([Type.Record(Type.String(), Endpoint), Type.Null()])),
    }),
  ),
  HostConfig: Type.Object({
    Binds: Type.Union([Type.Array(Type.String()), Type.Null()]),
    PortBindings: Type.Union([
      Type.Record(Type.String(), Type.Union([Type.Array(Binding), Type.Null()])),
      Type.Null(),
    ]),
    RestartPolicy: Type.Object({ Name: Type.String() }),
    Privileged: Type.Boolean(),
    NetworkMode: Type.String(),
    Memory: Count,
    NanoCpus: Count,
  }),
  Mounts: Type.Array(MountPoint),
})
export type Inspected = Static<typeof Inspected>

export const InspectedImage = Type.Object({
  Id: Type.String(),
  Size: Count,
  Config: Type.Union([
    Type.Object({
      Env: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
      Cmd: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
      Labels: Type.Optional(Labels),
      Healthcheck: Type.Optional(Type.Union([Healthcheck, Type.Null()])),
    }),
    Type.Null(),
  ]),
})
export type InspectedImage = Static<typeof InspectedImage>

export const ListedImage = Type.Object({
  Id: Type.String(),
  RepoTags: Type.Union([Type.Array(Type.String()), Type.Null()]),
  Created: Count,
  Size: Count,
  Labels,
})
export type ListedImage = Static<typeof ListedImage>
export const ListedImages = Type.Array(ListedImage)

export const Made = Type.Object({ Id: Type.String() })

export const ListedVolumes = Type.Object({
  Volumes: Type.Union([Type.Array(Type.Object({ Name: Type.String() })), Type.Null()]),
})
