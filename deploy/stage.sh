#!/bin/sh
# stage.sh CHECKOUT FOLDER: copies what a built checkout needs to run into a folder, which is then one version of the panel.
set -eu
cd "$1"
mkdir -p "$2/bin" "$2/scripts"
cp -R dist package.json README.md "$2/"
cp scripts/start.sh deploy/uninstall.sh "$2/scripts/"
cp bin/hostreeve "$2/bin/hostreeve"
cp -L node_modules/.bin/node "$2/bin/node"
rm -rf "$2/dist/.compile-cache"
chmod -R u=rwX,go=rX "$2"
