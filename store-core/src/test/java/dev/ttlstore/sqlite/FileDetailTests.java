package dev.ttlstore.sqlite;

import org.junit.jupiter.api.Tag;

import dev.ttlstore.contract.ContractPart;

/** The rest of the contract on a file. */
@Tag("variant")
@ContractPart(ContractPart.Tests.DETAILS)
class FileDetailTests extends FileStoreTests {}
