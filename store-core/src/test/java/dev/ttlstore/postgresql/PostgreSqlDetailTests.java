package dev.ttlstore.postgresql;

import org.junit.jupiter.api.Tag;

import dev.ttlstore.contract.ContractPart;

/** The rest of the contract on PostgreSQL. */
@Tag("variant")
@ContractPart(ContractPart.Tests.DETAILS)
class PostgreSqlDetailTests extends PostgreSqlStoreTests {}
