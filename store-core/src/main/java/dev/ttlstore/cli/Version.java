package dev.ttlstore.cli;

import picocli.CommandLine;

/** The version of the library. */
final class Version implements CommandLine.IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"TTL Store " + (version == null ? "(not from a jar)" : version)};
    }
}
