import Type, { type Static, type TSchema } from 'typebox'

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const Labels = Type.Optional(orNull(Type.Record(Type.String(), Type.String())))

/** The reply of `/system/df`, as far as it is read. */
export const Usage = Type.Object({
  Images: orNull(
    Type.Array(
      Type.Object({
        Id: Type.String(),
        RepoTags: orNull(Type.Array(Type.String())),
        Size: Type.Integer(),
        SharedSize: Type.Integer(),
        Labels,
      }),
    ),
  ),
  Containers: orNull(
    Type.Array(
      Type.Object({
        Id: Type.String(),
        Names: orNull(Type.Array(Type.String())),
        ImageID: Type.String(),
        State: Type.String(),
        SizeRw: Type.Optional(Type.Integer()),
        Labels,
      }),
    ),
  ),
  Volumes: orNull(
    Type.Array(
      Type.Object({
        Name: Type.String(),
        Labels,
        UsageData: Type.Optional(orNull(Type.Object({ Size: Type.Integer(), RefCount: Type.Integer() }))),
      }),
    ),
  ),
  BuildCache: Type.Optional(
    orNull(Type.Array(Type.Object({ ID: Type.String(), Size: Type.Integer(), InUse: Type.Boolean() }))),
  ),
})
export type Usage = Static<typeof Usage>

const Network = Type.Object({ Id: Type.String(), Name: Type.String() })
export type Network = Static<typeof Network>
export const Networks = Type.Array(Network)
