#!/usr/bin/env bash
# Runs the sample as three nodes on this machine: a PostgreSQL server, three instances and a reverse proxy, all on loopback.
set -euo pipefail
cd "$(dirname "$0")/.."

PROXY_PORT=${PROXY_PORT:-8080}       # the nodes have the three ports after it
DATABASE_PORT=${DATABASE_PORT:-54320}
FOLDER=$PWD/sample-app/data/three-nodes # everything that this script writes: data, keys, passwords, logs and process ids

usage() {
    cat << END
Usage: sample-app/three-nodes.sh COMMAND

  start              build the sample, and start a database, three nodes and a reverse proxy
  stop               stop all that was started; the data stays in sample-app/data/three-nodes
  kill NODE          kill a node (1, 2 or 3) as kill -9 does
  start-node NODE    start a node again
  crash-database     stop the database at once, in the middle of transactions, and start it again

Variables:
  PROXY_PORT             port to open in the browser (8080); the nodes use the three ports after it
  DATABASE_PORT          port of the database (54320)
  SPRING_DATASOURCE_URL  a PostgreSQL database of yours, which is neither started nor stopped; with
                         SPRING_DATASOURCE_USERNAME and SPRING_DATASOURCE_PASSWORD

Without a database of yours, an installed PostgreSQL is used (14 or later), or else the one of the tests.
END
}

fail() {
    echo "$*" >&2
    exit 1
}

# Starts a program in the background: its name here, and the command.
spawn() {
    local name=$1
    shift
    nohup "$@" > "$FOLDER/$name.log" 2>&1 &
    echo $! > "$FOLDER/$name.pid"
}

# Whether a program that was started here still runs. Its number may be another's by now, so its command is compared.
runs() {
    [ -f "$FOLDER/$1.pid" ] && ps -p "$(cat "$FOLDER/$1.pid")" -o args= | grep -q -- "-Dthree-nodes=$1 "
}

# Ends a program by a signal, and waits until it has ended.
end() {
    runs "$1" || return 0
    kill "-$2" "$(cat "$FOLDER/$1.pid")"
    while runs "$1"; do sleep 0.1; done
    rm "$FOLDER/$1.pid"
    echo "$1 has ended"
}

# Waits until a program answers at an address.
await() {
    until curl --silent --fail --output /dev/null "$2"; do
        runs "$1" || fail "$1 did not start: see $FOLDER/$1.log"
        sleep 0.2
    done
    echo "$1 answers"
}

# A secret that is created once and kept in a file.
password() {
    [ -f "$FOLDER/$1" ] || (umask 077 && head -c 18 /dev/urandom | base64 > "$FOLDER/$1")
    cat "$FOLDER/$1"
}

build() {
    echo "building the sample"
    mvn --batch-mode --quiet -pl sample-app -am -DskipTests -Djacoco.skip package \
        org.apache.maven.plugins:maven-dependency-plugin:3.10.0:build-classpath -Dmdep.outputFile="$FOLDER/classpath" \
        > "$FOLDER/build.log" || fail "The build has failed: see $FOLDER/build.log"
}

jar() {
    echo "$PWD"/sample-app/target/sample-app-*.jar
}

# Runs a class of the tests.
spawn_test_class() {
    spawn "$1" java "-Dthree-nodes=$1" -cp "$PWD/sample-app/target/test-classes:$PWD/sample-app/target/classes:$(cat "$FOLDER/classpath")" "${@:2}"
}

# The folder with the programs of the newest installed PostgreSQL, or nothing.
installed_postgresql() {
    local programs
    programs=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | sort --version-sort | tail -n 1)
    if [ -z "$programs" ] && command -v initdb > /dev/null; then
        programs=$(dirname "$(command -v initdb)")
    fi
    if [ -n "$programs" ] && [ "$("$programs/initdb" --version | grep -o '[0-9]*' | head -n 1)" -ge 14 ]; then
        echo "$programs"
    fi
}

# PostgreSQL refuses to run as root.
unprivileged() {
    if [ "$(id -u)" -eq 0 ]; then unshare --user "$@"; else "$@"; fi
}

start_database() {
    if [ -n "${SPRING_DATASOURCE_URL:-}" ]; then
        echo "the database is that of SPRING_DATASOURCE_URL" # which may hold a password
        return
    fi
    local programs
    programs=$(installed_postgresql)
    export SPRING_DATASOURCE_URL="jdbc:postgresql://localhost:$DATABASE_PORT/postgres?socketTimeout=30"
    if [ -z "$programs" ]; then
        export SPRING_DATASOURCE_USERNAME=postgres
        runs database || spawn_test_class database dev.ttlstore.sample.nodes.Database "$FOLDER/test-database" "$DATABASE_PORT"
        until grep --quiet 'The database is at' "$FOLDER/database.log"; do
            runs database || fail "The database did not start: see $FOLDER/database.log"
            sleep 0.2
        done
        echo "database of the tests answers"
        return
    fi
    export SPRING_DATASOURCE_USERNAME=secrets
    SPRING_DATASOURCE_PASSWORD=$(password database-password)
    export SPRING_DATASOURCE_PASSWORD
    if [ ! -d "$FOLDER/database" ]; then
        unprivileged "$programs/initdb" --pgdata="$FOLDER/database" --username=secrets --auth=scram-sha-256 \
            --pwfile="$FOLDER/database-password" --encoding=UTF8 --locale=C > "$FOLDER/initdb.log"
    fi
    if ! unprivileged "$programs/pg_ctl" status --pgdata="$FOLDER/database" > /dev/null; then
        unprivileged "$programs/pg_ctl" start --wait --silent --pgdata="$FOLDER/database" --log="$FOLDER/database.log" \
            --options="-p $DATABASE_PORT -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
    fi
    echo "database of $programs answers"
}

stop_database() {
    local programs
    programs=$(installed_postgresql)
    if [ "$1" = immediate ] && runs database; then
        kill -QUIT "$(head -n 1 "$FOLDER/test-database/postmaster.pid")" # the server itself, which then does not say goodbye
    fi
    end database TERM
    if [ -n "$programs" ] && [ -f "$FOLDER/database/postmaster.pid" ]; then
        unprivileged "$programs/pg_ctl" stop --wait --silent --pgdata="$FOLDER/database" --mode="$1"
        echo "database has ended"
    fi
}

# Every node gets the same keys, which encrypt the secrets.
create_keys() {
    java -Dloader.main=dev.ttlstore.sample.operator.CreateKeyset -cp "$(jar)" \
        org.springframework.boot.loader.launch.PropertiesLauncher "$FOLDER/keyset.json"
}

start_node() {
    runs "node$1" && fail "node$1 runs already"
    SPRING_SECURITY_USER_PASSWORD=${SPRING_SECURITY_USER_PASSWORD:-"{noop}$(password operator-password)"} \
        spawn "node$1" java "-Dthree-nodes=node$1" -Xmx256m -jar "$(jar)" \
        --spring.profiles.active=postgresql \
        --server.address=127.0.0.1 \
        --server.port=$((PROXY_PORT + $1)) \
        --server.forward-headers-strategy=native \
        --store.encryption.keyset="$FOLDER/keyset.json"
}

await_node() {
    await "node$1" "http://127.0.0.1:$((PROXY_PORT + $1))/actuator/health/readiness"
}

start_proxy() {
    spawn_test_class proxy dev.ttlstore.sample.nodes.ReverseProxy "$PROXY_PORT" $((PROXY_PORT + 1)) $((PROXY_PORT + 2)) $((PROXY_PORT + 3))
    await proxy "http://127.0.0.1:$PROXY_PORT/actuator/health/readiness"
}

start() {
    runs proxy && fail "It runs already. Stop it first."
    (umask 077 && mkdir -p "$FOLDER")
    build
    create_keys
    start_database
    for node in 1 2 3; do start_node $node; done
    for node in 1 2 3; do await_node $node; done
    start_proxy
    echo "Open http://localhost:$PROXY_PORT. The operator is 'user', with the password in ${FOLDER#"$PWD/"}/operator-password."
}

stop() {
    end proxy TERM
    for node in 1 2 3; do end node$node TERM; done
    stop_database fast
}

node_number() {
    [[ "${1:-}" =~ ^[123]$ ]] || { usage >&2; exit 1; }
}

case "${1:-}" in
    start | stop) "$1" ;;
    kill)
        node_number "${2:-}"
        runs "node$2" || fail "node$2 does not run"
        end "node$2" KILL
        ;;
    start-node)
        node_number "${2:-}"
        start_database
        start_node "$2"
        await_node "$2"
        ;;
    crash-database)
        [ -z "${SPRING_DATASOURCE_URL:-}" ] || fail "The database is yours"
        stop_database immediate
        start_database
        ;;
    *)
        usage
        [ "${1:-}" = help ] || exit 1
        ;;
esac
